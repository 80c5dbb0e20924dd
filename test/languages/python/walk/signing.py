"""Signatures of each kind."""

import json

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils
from turnkey_sdk_types import *

from .bundles import base58
from .keys import a_key, account, public_key_of, solana_account
from .setting import Setting

CURVES = {"CURVE_SECP256K1": ec.SECP256K1(), "CURVE_P256": ec.SECP256R1()}
MESSAGE = "A message of a Python program"


def raw_payloads(here: Setting) -> None:
    for curve, of in CURVES.items():
        key_id = a_key(here, curve)
        signed = sign(here, key_id, MESSAGE, "PAYLOAD_ENCODING_TEXT_UTF8", "HASH_FUNCTION_SHA256")
        public = ec.EllipticCurvePublicKey.from_encoded_point(of, bytes.fromhex(public_key_of(here, key_id)))
        der = utils.encode_dss_signature(int(signed.r, 16), int(signed.s, 16))
        public.verify(der, MESSAGE.encode(), ec.ECDSA(hashes.SHA256()))

    key_id = a_key(here, "CURVE_ED25519")
    public = ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key_of(here, key_id)))
    signed = sign(here, key_id, MESSAGE, "PAYLOAD_ENCODING_TEXT_UTF8", "HASH_FUNCTION_NOT_APPLICABLE")
    public.verify(bytes.fromhex(signed.r + signed.s), MESSAGE.encode())
    batch = here.client.sign_raw_payloads(
        SignRawPayloadsBody(
            signWith=key_id,
            payloads=["one", "two"],
            encoding="PAYLOAD_ENCODING_TEXT_UTF8",
            hashFunction="HASH_FUNCTION_NOT_APPLICABLE",
        )
    )
    for text, one in zip(("one", "two"), batch.signatures, strict=True):
        public.verify(bytes.fromhex(one.r + one.s), text.encode())


def structured_payloads(here: Setting) -> None:
    wallet = here.client.create_wallet(CreateWalletBody(walletName="Structured", accounts=[account(0)]))
    for encoding, payload in (("EIP712", TYPED_DATA), ("EIP7702_AUTHORIZATION", AUTHORIZATION)):
        signed = sign(
            here, wallet.addresses[0], json.dumps(payload), f"PAYLOAD_ENCODING_{encoding}", "HASH_FUNCTION_NO_OP"
        )
        assert len(signed.r) == len(signed.s) == 64 and signed.v in ("00", "01"), encoding


def transactions(here: Setting) -> None:
    accounts = [account(0), solana_account()]
    wallet = here.client.create_wallet(CreateWalletBody(walletName="Transactions", accounts=accounts))
    ethereum, solana = wallet.addresses
    signed = sign_transaction(here, ethereum, ETHEREUM_TRANSFER, "TRANSACTION_TYPE_ETHEREUM")
    assert signed.hex().startswith("02f8"), signed.hex()

    message = solana_transfer(base58(solana))
    unsigned = bytes([1]) + bytes(64) + message
    signed = sign_transaction(here, solana, unsigned.hex(), "TRANSACTION_TYPE_SOLANA")
    assert signed[65:] == message
    ed25519.Ed25519PublicKey.from_public_bytes(base58(solana)).verify(signed[1:65], message)


def sign(here: Setting, key_id: str, payload: str, encoding: str, hash_function: str):
    return here.client.sign_raw_payload(
        SignRawPayloadBody(signWith=key_id, payload=payload, encoding=encoding, hashFunction=hash_function)
    )


def sign_transaction(here: Setting, address: str, unsigned: str, kind: str) -> bytes:
    body = SignTransactionBody(signWith=address, unsignedTransaction=unsigned, type=kind)
    return bytes.fromhex(here.client.sign_transaction(body).signedTransaction.removeprefix("0x"))


def solana_transfer(sender: bytes) -> bytes:
    """A message of one instruction: one lamport to the account whose bytes are all 0x11."""
    accounts = sender + b"\x11" * 32 + bytes(32)
    blockhash = b"\x22" * 32
    instruction = bytes([2, 2, 0, 1, 12]) + (2).to_bytes(4, "little") + (1).to_bytes(8, "little")
    return bytes([1, 0, 1, 3]) + accounts + blockhash + bytes([1]) + instruction


# EIP-1559 on chain 1: nonce 0, a value of 1 wei to the address whose bytes are all 0x11.
ETHEREUM_TRANSFER = "02df0180010282520894" + "11" * 20 + "0180c0"

AUTHORIZATION = {"chainId": 1, "address": "0x" + "11" * 20, "nonce": 0}

TYPED_DATA = {
    "types": {
        "EIP712Domain": [{"name": "name", "type": "string"}],
        "Mail": [{"name": "contents", "type": "string"}],
    },
    "primaryType": "Mail",
    "domain": {"name": "Walk"},
    "message": {"contents": "Hello"},
}
