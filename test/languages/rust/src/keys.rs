//! Private keys and wallets.

use turnkey_client::generated::immutable::common::v1::{AddressFormat, Curve, PathFormat};
use turnkey_client::generated::*;

use crate::setting::{Setting, Walked, expect};

pub async fn private_keys(here: &Setting) -> Walked {
    let mut private_key_ids = Vec::new();
    for curve in [Curve::Secp256k1, Curve::P256, Curve::Ed25519] {
        let private_key_id = private_key(here, curve).await?;
        expect(stored(here, &private_key_id).await?.curve == curve, "another curve")?;
        private_key_ids.push(private_key_id);
    }
    let request = GetPrivateKeysRequest { organization_id: here.organization() };
    expect(here.client.get_private_keys(request).await?.private_keys.len() == 3, "not three keys")?;
    let gone = DeletePrivateKeysIntent { private_key_ids, delete_without_export: Some(true) };
    here.client.delete_private_keys(here.organization(), here.now(), gone).await?;
    Ok(())
}

pub async fn wallets(here: &Setting) -> Walked {
    let (wallet_id, mut addresses) = wallet(here, "Savings").await?;
    let accounts = vec![
        account("m/44'/60'/0'/0/1", Curve::Secp256k1, AddressFormat::Ethereum),
        account("m/44'/501'/0'/0'", Curve::Ed25519, AddressFormat::Solana),
    ];
    let more = CreateWalletAccountsIntent { wallet_id: wallet_id.clone(), accounts, persist: None };
    addresses.extend(here.client.create_wallet_accounts(here.organization(), here.now(), more).await?.result.addresses);
    let request = GetWalletAccountsRequest {
        organization_id: here.organization(),
        wallet_id: Some(wallet_id.clone()),
        include_wallet_details: None,
        pagination_options: None,
    };
    let mut listed: Vec<_> =
        here.client.get_wallet_accounts(request).await?.accounts.into_iter().map(|account| account.address).collect();
    listed.sort();
    addresses.sort();
    expect(listed == addresses, "other accounts")?;
    let renamed = UpdateWalletIntent { wallet_id: wallet_id.clone(), wallet_name: "Spending".into() };
    here.client.update_wallet(here.organization(), here.now(), renamed).await?;
    let request = GetWalletRequest { organization_id: here.organization(), wallet_id: wallet_id.clone() };
    let named = here.client.get_wallet(request).await?.wallet.ok_or("no wallet")?.wallet_name;
    expect(named == "Spending", "not renamed")?;
    let gone = DeleteWalletsIntent { wallet_ids: vec![wallet_id], delete_without_export: Some(true) };
    here.client.delete_wallets(here.organization(), here.now(), gone).await?;
    let left = here.client.get_wallets(GetWalletsRequest { organization_id: here.organization() }).await?.wallets;
    expect(left.is_empty(), "a wallet is left")
}

pub async fn private_key(here: &Setting, curve: Curve) -> Walked<String> {
    let key = PrivateKeyParams {
        private_key_name: format!("Key {} {}", curve.as_str_name(), here.now()),
        curve,
        private_key_tags: vec![],
        address_formats: vec![],
    };
    let intent = CreatePrivateKeysIntentV2 {
        private_keys: vec![key],
        external_signer_pubkey: None,
        external_signer_wrapping_key_id: None,
    };
    let made = here.client.create_private_keys(here.organization(), here.now(), intent).await?.result;
    Ok(made.private_keys.into_iter().next().ok_or("no key")?.private_key_id)
}

pub async fn stored(here: &Setting, private_key_id: &str) -> Walked<external::data::v1::PrivateKey> {
    let request =
        GetPrivateKeyRequest { organization_id: here.organization(), private_key_id: private_key_id.to_string() };
    Ok(here.client.get_private_key(request).await?.private_key.ok_or("no key")?)
}

/// A wallet with one account, and its address.
pub async fn wallet(here: &Setting, name: &str) -> Walked<(String, Vec<String>)> {
    let intent = CreateWalletIntent {
        wallet_name: name.into(),
        accounts: vec![account("m/44'/60'/0'/0/0", Curve::Secp256k1, AddressFormat::Ethereum)],
        mnemonic_length: None,
    };
    let made = here.client.create_wallet(here.organization(), here.now(), intent).await?.result;
    Ok((made.wallet_id, made.addresses))
}

pub fn account(path: &str, curve: Curve, address_format: AddressFormat) -> WalletAccountParams {
    WalletAccountParams { curve, path_format: PathFormat::Bip32, path: path.into(), address_format, name: None }
}
