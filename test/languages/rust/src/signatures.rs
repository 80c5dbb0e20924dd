//! Signatures of each kind.

use alloy_primitives::{B256, Signature, U256, eip191_hash_message, keccak256};
use p256::ecdsa::signature::Verifier;
use turnkey_client::generated::immutable::common::v1::{Curve, HashFunction, PayloadEncoding, TransactionType};
use turnkey_client::generated::*;

use crate::keys::{private_key, stored, wallet};
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
    expect(typed.r.len() == 64 && typed.s.len() == 64, "no signature of typed data")
}

pub async fn transactions(here: &Setting) -> Walked {
    let (_, addresses) = wallet(here, "Transactions").await?;
    let intent = SignTransactionIntentV2 {
        sign_with: addresses[0].clone(),
        unsigned_transaction: UNSIGNED_TRANSFER.into(),
        r#type: TransactionType::Ethereum,
        external_signer_pubkey: None,
    };
    let signed = here.client.sign_transaction(here.organization(), here.now(), intent).await?.result.signed_transaction;
    expect(signed.trim_start_matches("0x").starts_with("02f8"), "no signed transaction of EIP-1559")
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

/// EIP-1559 on chain 1: nonce 0, a value of 1 wei to the address whose bytes are all 0x11.
const UNSIGNED_TRANSFER: &str = "0x02df01800102825208941111111111111111111111111111111111111111\
0180c0";

const TYPED_DATA: &str = r#"{
    "types": {
        "EIP712Domain": [{ "name": "name", "type": "string" }],
        "Mail": [{ "name": "contents", "type": "string" }]
    },
    "primaryType": "Mail",
    "domain": { "name": "Walk" },
    "message": { "contents": "Hello" }
}"#;
