//! Signatures of each kind.

use alloy_primitives::{B256, Signature, U256, eip191_hash_message, keccak256};
use p256::ecdsa::signature::Verifier;
use turnkey_client::generated::immutable::common::v1::{
    AddressFormat, Curve, HashFunction, PayloadEncoding, TransactionType,
};
use turnkey_client::generated::*;

use crate::keys::{account, private_key, stored, wallet};
use crate::setting::{Setting, Walked, expect};

const TEXT: &str = "A message of a program in Rust";

pub async fn raw_payloads(here: &Setting) -> Walked {
    let key_id = private_key(here, Curve::P256).await?;
    let signed = raw(here, &key_id, TEXT.into(), PayloadEncoding::TextUtf8, HashFunction::Sha256).await?;
    let key = p256::ecdsa::VerifyingKey::from_sec1_bytes(&hex::decode(stored(here, &key_id).await?.public_key)?)?;
    key.verify(TEXT.as_bytes(), &p256::ecdsa::Signature::from_slice(&hex::decode(signed.r + &signed.s)?)?)?;

    let key_id = private_key(here, Curve::Ed25519).await?;
    let batch = SignRawPayloadsIntent {
        sign_with: key_id.clone(),
        payloads: vec!["one".into(), "two".into()],
        encoding: PayloadEncoding::TextUtf8,
        hash_function: HashFunction::NotApplicable,
        external_signer_pubkey: None,
    };
    let signatures = here.client.sign_raw_payloads(here.organization(), here.now(), batch).await?.result.signatures;
    let alone = raw(here, &key_id, "two".into(), PayloadEncoding::TextUtf8, HashFunction::NotApplicable).await?;
    expect(signatures.len() == 2 && signatures[1].s == alone.s, "a signature of Ed25519 is not the same twice")?;

    let (_, addresses) = wallet(here, "Raw payloads").await?;
    let signed = raw(here, &addresses[0], TEXT.into(), PayloadEncoding::TextUtf8, HashFunction::Keccak256).await?;
    recovers(&signed, keccak256(TEXT), &addresses[0])?;
    let digest = eip191_hash_message(TEXT);
    let signed =
        raw(here, &addresses[0], hex::encode(digest), PayloadEncoding::Hexadecimal, HashFunction::NoOp).await?;
    recovers(&signed, digest, &addresses[0])?;
    let typed = raw(here, &addresses[0], TYPED_DATA.into(), PayloadEncoding::Eip712, HashFunction::NoOp).await?;
    expect(typed.r.len() == 64 && typed.s.len() == 64, "no signature of typed data")?;
    let authorization = format!(r#"{{"chainId":1,"address":"0x{}","nonce":0}}"#, "11".repeat(20));
    let encoding = PayloadEncoding::Eip7702Authorization;
    let authorized = raw(here, &addresses[0], authorization, encoding, HashFunction::NoOp).await?;
    expect(authorized.r.len() == 64 && authorized.s.len() == 64, "no signature of an authorization")
}

pub async fn transactions(here: &Setting) -> Walked {
    let accounts = vec![
        account("m/44'/60'/0'/0/0", Curve::Secp256k1, AddressFormat::Ethereum),
        account("m/44'/501'/0'/0'", Curve::Ed25519, AddressFormat::Solana),
    ];
    let intent = CreateWalletIntent { wallet_name: "Transactions".into(), accounts, mnemonic_length: None };
    let addresses = here.client.create_wallet(here.organization(), here.now(), intent).await?.result.addresses;
    let signed = signed_transaction(here, &addresses[0], ethereum_transfer(), TransactionType::Ethereum).await?;
    expect(signed.starts_with(&[0x02, 0xf8]), "no signed transaction of EIP-1559")?;

    let message = solana_transfer(&bs58::decode(&addresses[1]).into_vec()?);
    let unsigned = [vec![1], vec![0; 64], message.clone()].concat();
    let signed = signed_transaction(here, &addresses[1], hex::encode(unsigned), TransactionType::Solana).await?;
    expect(signed[65..] == message && signed[1..65] != [0; 64], "another message, or no signature")
}

async fn signed_transaction(
    here: &Setting,
    sign_with: &str,
    unsigned_transaction: String,
    kind: TransactionType,
) -> Walked<Vec<u8>> {
    let intent = SignTransactionIntentV2 {
        sign_with: sign_with.into(),
        unsigned_transaction,
        r#type: kind,
        external_signer_pubkey: None,
    };
    let signed = here.client.sign_transaction(here.organization(), here.now(), intent).await?.result.signed_transaction;
    Ok(hex::decode(signed.trim_start_matches("0x"))?)
}

/// EIP-1559 on chain 1: nonce 0, a value of 1 wei to the address whose bytes are all 0x11.
fn ethereum_transfer() -> String {
    format!("02df0180010282520894{}0180c0", "11".repeat(20))
}

/// A message of one instruction: one lamport to the account whose bytes are all 0x11.
fn solana_transfer(sender: &[u8]) -> Vec<u8> {
    let instruction = [1, 2, 2, 0, 1, 12, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    [&[1, 0, 1, 3], sender, &[0x11; 32], &[0; 32], &[0x22; 32], &instruction].concat()
}

async fn raw(
    here: &Setting,
    sign_with: &str,
    payload: String,
    encoding: PayloadEncoding,
    hash_function: HashFunction,
) -> Walked<SignRawPayloadResult> {
    let intent = SignRawPayloadIntentV2 {
        sign_with: sign_with.into(),
        payload,
        encoding,
        hash_function,
        external_signer_pubkey: None,
    };
    Ok(here.client.sign_raw_payload(here.organization(), here.now(), intent).await?.result)
}

fn recovers(signed: &SignRawPayloadResult, digest: B256, address: &str) -> Walked {
    let number = |text: &str| U256::from_str_radix(text, 16);
    let signature = Signature::new(number(&signed.r)?, number(&signed.s)?, signed.v == "01");
    expect(signature.recover_address_from_prehash(&digest)?.to_string() == address, "another address has signed")
}

const TYPED_DATA: &str = r#"{
    "types": {
        "EIP712Domain": [{ "name": "name", "type": "string" }],
        "Mail": [{ "name": "contents", "type": "string" }]
    },
    "primaryType": "Mail",
    "domain": { "name": "Walk" },
    "message": { "contents": "Hello" }
}"#;
