"""Private keys and wallets, and how they come and go."""

import hashlib

from cryptography.hazmat.primitives.asymmetric import ec
from turnkey_sdk_types import *

from .bundles import opened_export, sealed_to, signed_data, uncompressed
from .setting import Setting

SUITE = "TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1"
MNEMONIC = "abandon " * 11 + "about"


def keys(here: Setting) -> None:
    for curve in ("CURVE_SECP256K1", "CURVE_P256", "CURVE_ED25519"):
        key_id = a_key(here, curve)
        stored = here.client.get_private_key(GetPrivateKeyBody(privateKeyId=key_id)).privateKey
        assert (stored.curve, stored.privateKeyName) == (curve, f"Key {curve}")
    assert len(here.client.get_private_keys(GetPrivateKeysBody()).privateKeys) == 3
    here.client.delete_private_keys(
        DeletePrivateKeysBody(
            privateKeyIds=[key.privateKeyId for key in here.client.get_private_keys(GetPrivateKeysBody()).privateKeys],
            deleteWithoutExport=True,
        )
    )
    assert here.client.get_private_keys(GetPrivateKeysBody()).privateKeys == []


def wallets(here: Setting) -> None:
    made = here.client.create_wallet(CreateWalletBody(walletName="Savings", accounts=[account(0)], mnemonicLength=24))
    more = here.client.create_wallet_accounts(
        CreateWalletAccountsBody(walletId=made.walletId, accounts=[account(1), solana_account()])
    )
    listed = here.client.get_wallet_accounts(GetWalletAccountsBody(walletId=made.walletId)).accounts
    assert {one.address for one in listed} == {*made.addresses, *more.addresses}
    here.client.update_wallet(UpdateWalletBody(walletId=made.walletId, walletName="Spending"))
    assert here.client.get_wallet(GetWalletBody(walletId=made.walletId)).wallet.walletName == "Spending"
    assert [one.walletId for one in here.client.get_wallets(GetWalletsBody()).wallets] == [made.walletId]
    here.client.delete_wallets(DeleteWalletsBody(walletIds=[made.walletId], deleteWithoutExport=True))


def imports_and_exports(here: Setting) -> None:
    secret = hashlib.sha256(b"a private key of the walk").digest()
    target = signed_data(
        here.client.init_import_private_key(InitImportPrivateKeyBody(userId=here.user_id)).importBundle,
        here.signer_key,
    )
    assert (target["organizationId"], target["userId"]) == (here.organization_id, here.user_id)
    imported = here.client.import_private_key(
        ImportPrivateKeyBody(
            userId=here.user_id,
            privateKeyName="Imported",
            encryptedBundle=sealed_to(target["targetPublic"], secret),
            curve="CURVE_SECP256K1",
            addressFormats=["ADDRESS_FORMAT_ETHEREUM"],
        )
    )
    receiver, public = a_receiver()
    exported = here.client.export_private_key(
        ExportPrivateKeyBody(privateKeyId=imported.privateKeyId, targetPublicKey=public)
    )
    assert opened_export(exported.exportBundle, receiver, here.signer_key, here.organization_id) == secret
    import_wallet(here)
    import_secret(here)


def import_wallet(here: Setting) -> None:
    target = signed_data(
        here.client.init_import_wallet(InitImportWalletBody(userId=here.user_id)).importBundle, here.signer_key
    )
    imported = here.client.import_wallet(
        ImportWalletBody(
            userId=here.user_id,
            walletName="Imported",
            encryptedBundle=sealed_to(target["targetPublic"], MNEMONIC.encode()),
            accounts=[account(0)],
        )
    )
    # The first account of the mnemonic that every example uses.
    assert imported.addresses == ["0x9858EfFD232B4033E47d90003D41EC34EcaEda94"]
    receiver, public = a_receiver()
    wallet = here.client.export_wallet(ExportWalletBody(walletId=imported.walletId, targetPublicKey=public))
    mnemonic = opened_export(wallet.exportBundle, receiver, here.signer_key, here.organization_id)
    assert mnemonic.decode() == MNEMONIC
    receiver, public = a_receiver()
    leaf = here.client.export_wallet_account(
        ExportWalletAccountBody(address=imported.addresses[0], targetPublicKey=public)
    )
    assert len(opened_export(leaf.exportBundle, receiver, here.signer_key, here.organization_id)) == 32


def import_secret(here: Setting) -> None:
    made = here.client.init_import_secrets(InitImportSecretsBody(encryptionSuite=SUITE, numSecrets=1))
    target = signed_data(made.enclaveTargetMessages[0], here.signer_key)["targetPublic"]
    secret_ids = here.client.import_secrets(
        ImportSecretsBody(
            secrets=[
                v1ImportSecretParams(
                    name="Password",
                    secretPayload=sealed_to(target, b"correct horse"),
                    targetPublicKey=target,
                    encryptionSuite=SUITE,
                )
            ]
        )
    ).secretIds
    receiver, public = a_receiver()
    exported = here.client.export_secrets(
        ExportSecretsBody(
            secrets=[v1ExportSecretParams(secretId=secret_ids[0], targetPublicKey=public, encryptionSuite=SUITE)]
        )
    )
    opened = opened_export(exported.secretPayloads[0], receiver, here.signer_key, here.organization_id)
    assert opened == b"correct horse"


def a_key(here: Setting, curve: str) -> str:
    params = v1PrivateKeyParams(privateKeyName=f"Key {curve}", curve=curve, privateKeyTags=[], addressFormats=[])
    made = here.client.create_private_keys(CreatePrivateKeysBody(privateKeys=[params]))
    return made.privateKeys[0].privateKeyId


def public_key_of(here: Setting, key_id: str) -> str:
    return here.client.get_private_key(GetPrivateKeyBody(privateKeyId=key_id)).privateKey.publicKey


def a_receiver() -> tuple[ec.EllipticCurvePrivateKey, str]:
    receiver = ec.generate_private_key(ec.SECP256R1())
    return receiver, uncompressed(receiver.public_key()).hex()


def account(index: int) -> v1WalletAccountParams:
    return v1WalletAccountParams(
        curve="CURVE_SECP256K1",
        pathFormat="PATH_FORMAT_BIP32",
        path=f"m/44'/60'/0'/0/{index}",
        addressFormat="ADDRESS_FORMAT_ETHEREUM",
    )


def solana_account() -> v1WalletAccountParams:
    return v1WalletAccountParams(
        curve="CURVE_ED25519",
        pathFormat="PATH_FORMAT_BIP32",
        path="m/44'/501'/0'/0'",
        addressFormat="ADDRESS_FORMAT_SOLANA",
    )
