//! Codes by mail, and the sessions that they and keys open.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::{Value, json};
use turnkey_client::TurnkeyP256ApiKey;
use turnkey_client::generated::immutable::common::v1::{ClientSignatureScheme, FeatureName};
use turnkey_client::generated::*;
use turnkey_enclave_encrypt::client::ReusableEnclaveEncryptClientSend;
use turnkey_enclave_encrypt::{AuthenticationClient, QuorumPublicKey};

use crate::people::sub_organization;
use crate::setting::{Setting, Walked, expect, public_key, variable};

pub async fn sessions(here: &Setting) -> Walked {
    let read_only =
        here.client.create_read_only_session(here.organization(), here.now(), CreateReadOnlySessionIntent {}).await?;
    expect(read_only.result.user_id == here.user_id, "a session of somebody else")?;

    let mut receiver = AuthenticationClient::new();
    let intent = CreateReadWriteSessionIntentV2 {
        target_public_key: receiver.target_public_key()?,
        user_id: None,
        api_key_name: None,
        expiration_seconds: None,
        invalidate_existing: None,
    };
    let made = here.client.create_read_write_session(here.organization(), here.now(), intent).await?.result;
    let key = TurnkeyP256ApiKey::from_bytes(receiver.decrypt(made.credential_bundle)?, None)?;
    is_somebody(here, key, &here.organization_id, &here.user_id).await?;

    let key = TurnkeyP256ApiKey::generate();
    let intent = StampLoginIntent {
        public_key: public_key(&key),
        expiration_seconds: None,
        invalidate_existing: None,
        session_profile_id: None,
    };
    here.client.stamp_login(here.organization(), here.now(), intent).await?;
    is_somebody(here, key, &here.organization_id, &here.user_id).await
}

pub async fn credential_by_mail(here: &Setting) -> Walked {
    switch_on(here, FeatureName::EmailAuth).await?;
    let contact = "credential@example.com";
    let (sub_id, user_id) = sub_organization(here, contact, &TurnkeyP256ApiKey::generate()).await?;
    let mut receiver = AuthenticationClient::new();
    let customization = EmailAuthCustomizationParams {
        app_name: "Walk".into(),
        logo_url: None,
        magic_link_template: None,
        template_variables: None,
        template_id: None,
    };
    let intent = EmailAuthIntentV3 {
        email: contact.into(),
        target_public_key: receiver.target_public_key()?,
        api_key_name: None,
        expiration_seconds: None,
        email_customization: Some(customization),
        invalidate_existing: None,
        send_from_email_address: None,
        send_from_email_sender_name: None,
        reply_to_email_address: None,
    };
    here.client.email_auth(sub_id.clone(), here.now(), intent).await?;
    let bundle = sent(here, contact, is_credential).await?;
    let key = TurnkeyP256ApiKey::from_bytes(receiver.decrypt(bundle)?, None)?;
    is_somebody(here, key, &sub_id, &user_id).await
}

async fn switch_on(here: &Setting, name: FeatureName) -> Walked {
    let feature = SetOrganizationFeatureIntent { name, value: None };
    here.client.set_organization_feature(here.organization(), here.now(), feature).await?;
    Ok(())
}

pub async fn code_by_mail(here: &Setting) -> Walked {
    switch_on(here, FeatureName::OtpEmailAuth).await?;
    let contact = "code@example.com";
    let (sub_id, user_id) = sub_organization(here, contact, &TurnkeyP256ApiKey::generate()).await?;
    let intent = InitOtpIntentV3 {
        otp_type: "OTP_TYPE_EMAIL".into(),
        contact: contact.into(),
        app_name: "Walk".into(),
        otp_length: None,
        email_customization: None,
        sms_customization: None,
        user_identifier: None,
        send_from_email_address: None,
        alphanumeric: None,
        send_from_email_sender_name: None,
        expiration_seconds: None,
        reply_to_email_address: None,
    };
    let begun = here.client.init_otp(here.organization(), here.now(), intent).await?.result;
    let key = TurnkeyP256ApiKey::generate();
    let intent = VerifyOtpIntentV2 {
        otp_id: begun.otp_id,
        encrypted_otp_bundle: sealed_code(
            &begun.otp_encryption_target_bundle,
            &sent(here, contact, is_code).await?,
            &public_key(&key),
        )?,
        expiration_seconds: None,
    };
    let token = here.client.verify_otp(here.organization(), here.now(), intent).await?.result.verification_token;

    let session_key = TurnkeyP256ApiKey::generate();
    let message = format!(
        r#"{{"login":{{"publicKey":"{}"}},"tokenId":"{}","type":"USAGE_TYPE_LOGIN"}}"#,
        public_key(&session_key),
        token_id(&token)?,
    );
    let signature: Signature = SigningKey::from_slice(&key.private_key())?.sign(message.as_bytes());
    let intent = OtpLoginIntentV2 {
        verification_token: token,
        public_key: public_key(&session_key),
        client_signature: Some(ClientSignature {
            public_key: public_key(&key),
            scheme: ClientSignatureScheme::ApiP256,
            message,
            signature: hex::encode(signature.to_bytes()),
        }),
        expiration_seconds: None,
        invalidate_existing: None,
        session_profile_id: None,
    };
    here.client.otp_login(sub_id.clone(), here.now(), intent).await?;
    is_somebody(here, session_key, &sub_id, &user_id).await
}

async fn is_somebody(here: &Setting, key: TurnkeyP256ApiKey, organization_id: &str, user_id: &str) -> Walked {
    let request = GetWhoamiRequest { organization_id: organization_id.into() };
    expect(here.client_of(key).get_whoami(request).await?.user_id == user_id, "a session of somebody else")
}

/// The crates have no function for codes: the target stands in the place of the key that they encrypt to, after a look
/// at whose signature it has.
fn sealed_code(bundle: &str, code: &str, public_key: &str) -> Walked<String> {
    use p256::ecdsa::signature::Verifier;
    let otp_key = variable("OTP_PUBLIC_KEY");
    let bundle: Value = serde_json::from_str(bundle)?;
    let bytes = |name: &str| hex::decode(bundle[name].as_str().unwrap_or_default());
    p256::ecdsa::VerifyingKey::from_sec1_bytes(&hex::decode(&otp_key)?)?
        .verify(&bytes("data")?, &p256::ecdsa::DerSignature::from_bytes(&bytes("dataSignature")?)?)?;
    let data: Value = serde_json::from_slice(&bytes("data")?)?;
    let target = data["targetPublic"].as_str().ok_or("no target")?;
    let sender: ReusableEnclaveEncryptClientSend = QuorumPublicKey::from_string(format!("{target}{otp_key}"))?.into();
    let plaintext = json!({ "otp_code": code, "public_key": public_key }).to_string();
    Ok(serde_json::to_string(&sender.encrypt(plaintext.as_bytes())?)?)
}

fn is_code(line: &str) -> bool {
    (6..=9).contains(&line.len()) && line.chars().all(|c| c.is_ascii_digit() || c.is_ascii_uppercase())
}

fn is_credential(line: &str) -> bool {
    line.len() >= 80 && line.chars().all(|c| c.is_ascii_alphanumeric())
}

/// The line that is wanted in the newest message, which may take a moment to be sent.
async fn sent(here: &Setting, contact: &str, is_wanted: fn(&str) -> bool) -> Walked<String> {
    for _ in 0..200 {
        let inbox: Value = reqwest::get(format!("{}/dev/inbox.json", here.base_url)).await?.json().await?;
        let messages = inbox["messages"].as_array().ok_or("no inbox")?;
        let text =
            messages.iter().find(|message| message["to"] == contact).and_then(|message| message["text"].as_str());
        if let Some(line) = text.and_then(|text| text.lines().find(|line| is_wanted(line))) {
            return Ok(line.to_string());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err(format!("nothing was sent to {contact}").into())
}

fn token_id(token: &str) -> Walked<String> {
    let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(token.split('.').nth(1).ok_or("no token")?)?)?;
    Ok(claims["id"].as_str().ok_or("no id")?.to_string())
}
