//! Import and export, each bundle verified and opened by the published crate under the service's own signer key.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use turnkey_client::generated::immutable::common::v1::{AddressFormat, Curve};
use turnkey_client::generated::*;
use turnkey_enclave_encrypt::{ExportClient, ImportClient};

use crate::keys::account;
use crate::setting::{Setting, Walked, expect};

/// The mnemonic that every example uses, and the address of its first account.
const MNEMONIC: &str = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
const ADDRESS: &str = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94";

pub async fn private_key_in_and_out(here: &Setting) -> Walked {
    let secret = Sha256::digest("a private key of the walk").to_vec();
    let begin = InitImportPrivateKeyIntent { user_id: here.user_id.clone() };
    let begun = here.client.init_import_private_key(here.organization(), here.now(), begin).await?.result;
    let encrypted_bundle = ImportClient::new(&here.signer()?).encrypt_private_key_with_bundle(
        &secret,
        begun.import_bundle,
        &here.organization_id,
        &here.user_id,
    )?;
    let import = ImportPrivateKeyIntent {
        user_id: here.user_id.clone(),
        private_key_name: "Imported".into(),
        encrypted_bundle,
        curve: Curve::Secp256k1,
        address_formats: vec![AddressFormat::Ethereum],
    };
    let imported = here.client.import_private_key(here.organization(), here.now(), import).await?.result;
    let mut receiver = ExportClient::new(&here.signer()?);
    let export = ExportPrivateKeyIntent {
        private_key_id: imported.private_key_id,
        target_public_key: receiver.target_public_key()?,
    };
    let exported = here.client.export_private_key(here.organization(), here.now(), export).await?.result;
    let opened = receiver.decrypt_private_key(exported.export_bundle, &here.organization_id)?;
    expect(opened == secret, "another private key")
}

pub async fn wallet_in_and_out(here: &Setting) -> Walked {
    let begin = InitImportWalletIntent { user_id: here.user_id.clone() };
    let begun = here.client.init_import_wallet(here.organization(), here.now(), begin).await?.result;
    let encrypted_bundle = ImportClient::new(&here.signer()?).encrypt_wallet_with_bundle(
        MNEMONIC,
        begun.import_bundle,
        &here.organization_id,
        &here.user_id,
    )?;
    let import = ImportWalletIntent {
        user_id: here.user_id.clone(),
        wallet_name: "Imported".into(),
        encrypted_bundle,
        accounts: vec![account("m/44'/60'/0'/0/0", Curve::Secp256k1, AddressFormat::Ethereum)],
    };
    let imported = here.client.import_wallet(here.organization(), here.now(), import).await?.result;
    expect(imported.addresses == [ADDRESS], "another address")?;

    let mut receiver = ExportClient::new(&here.signer()?);
    let export = ExportWalletIntent {
        wallet_id: imported.wallet_id,
        target_public_key: receiver.target_public_key()?,
        language: None,
    };
    let exported = here.client.export_wallet(here.organization(), here.now(), export).await?.result;
    let opened = receiver.decrypt_wallet_mnemonic_phrase(exported.export_bundle, &here.organization_id)?;
    expect(opened == MNEMONIC, "another mnemonic")?;

    let mut receiver = ExportClient::new(&here.signer()?);
    let export =
        ExportWalletAccountIntent { address: ADDRESS.into(), target_public_key: receiver.target_public_key()? };
    let exported = here.client.export_wallet_account(here.organization(), here.now(), export).await?.result;
    receiver.decrypt_private_key(exported.export_bundle, &here.organization_id)?;
    Ok(())
}

pub async fn secret_in_and_out(here: &Setting) -> Walked {
    let signer = here.signer()?;
    let properties = BTreeMap::from([("environment".to_string(), "walk".to_string())]);
    let name = Some("Password".to_string());
    let imported =
        here.client.import_secret(here.organization(), name, "correct horse".into(), properties, &signer).await?;
    let exported = here.client.export_secret(here.organization(), &[imported.result], &signer).await?;
    expect(exported.result == ["correct horse"], "another secret")
}
