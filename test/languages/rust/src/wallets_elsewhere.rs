//! A wallet that is elsewhere signs its owner in: a message of EIP-4361, a token for it, and a login with the token.

use alloy_primitives::{Signature, eip191_hash_message};
use alloy_signer::k256::ecdsa::SigningKey as WalletKey;
use alloy_signer::k256::elliptic_curve::rand_core::OsRng;
use alloy_signer::utils::secret_key_to_address;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{Duration, SecondsFormat, Utc};
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{DerSignature, SigningKey};
use serde_json::json;
use turnkey_api_key_stamper::{Stamp, StampHeader, StamperError};
use turnkey_client::generated::immutable::common::v1::WalletAuthenticatorType;
use turnkey_client::generated::{
    CreateWalletAuthenticatorsIntent, DeleteWalletAuthenticatorsIntent, GetWalletAuthenticatorsRequest,
    GetWhoamiRequest, StampLoginIntent, VerifyWalletAuthenticatorIntent, WalletAuthenticatorParams,
};
use turnkey_client::{TurnkeyClient, TurnkeyP256ApiKey};

use crate::people::sub_organization;
use crate::setting::{Setting, Walked, expect, public_key};

const DOMAIN: &str = "app.example.com";

pub async fn wallet_login(here: &Setting) -> Walked {
    let wallet = WalletKey::random(&mut OsRng);
    let address = secret_key_to_address(&wallet).to_string();
    let root_key = TurnkeyP256ApiKey::generate();
    let (sub_id, user_id) = sub_organization(here, "wallet@example.com", &root_key).await?;
    let owner = here.client_of(root_key);
    let registered = WalletAuthenticatorParams {
        r#type: WalletAuthenticatorType::Ethereum,
        address: address.clone(),
        domain: DOMAIN.into(),
        verification_token: None,
    };
    let intent = CreateWalletAuthenticatorsIntent { user_id: user_id.clone(), wallet_authenticators: vec![registered] };
    let made = owner.create_wallet_authenticators(sub_id.clone(), here.now(), intent).await?.result;
    let request = GetWalletAuthenticatorsRequest { organization_id: sub_id.clone(), user_id: user_id.clone() };
    let listed = owner.get_wallet_authenticators(request).await?.wallet_authenticators;
    expect(listed.len() == 1 && listed[0].address == address, "the wallet is not listed")?;

    let session_key = TurnkeyP256ApiKey::generate();
    let message = sign_in_message(&address, &public_key(&session_key));
    let (signature, parity) = wallet.sign_prehash_recoverable(eip191_hash_message(&message).as_slice())?;
    let intent = VerifyWalletAuthenticatorIntent {
        message,
        signature: hex::encode(Signature::from((signature, parity)).as_bytes()),
        public_key: public_key(&session_key),
    };
    let token = here.client.verify_wallet_authenticator(here.organization(), here.now(), intent).await?.result;
    let stamper = Attested {
        token: token.verification_token,
        key: TurnkeyP256ApiKey::from_bytes(session_key.private_key(), None)?,
    };
    let intent = StampLoginIntent {
        public_key: public_key(&session_key),
        expiration_seconds: None,
        invalidate_existing: None,
        session_profile_id: None,
    };
    let stranger = TurnkeyClient::builder().api_key(stamper).base_url(&here.base_url).build()?;
    stranger.stamp_login(sub_id.clone(), here.now(), intent).await?;
    let me = here.client_of(session_key).get_whoami(GetWhoamiRequest { organization_id: sub_id.clone() }).await?;
    expect(me.user_id == user_id, "a session of somebody else")?;

    let gone = DeleteWalletAuthenticatorsIntent { user_id, wallet_authenticator_ids: made.wallet_authenticator_ids };
    owner.delete_wallet_authenticators(sub_id, here.now(), gone).await?;
    Ok(())
}

/// EIP-4361. The key that it lets in is its nonce too.
fn sign_in_message(address: &str, session_key: &str) -> String {
    let now = Utc::now();
    let time = |at: chrono::DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Secs, true);
    format!(
        "{DOMAIN} wants you to sign in with your Ethereum account:\n{address}\n\nAuthorize this key.\n\n\
         URI: https://{DOMAIN}/login\nVersion: 1\nChain ID: 1\nNonce: {session_key}\nIssued At: {}\n\
         Expiration Time: {}\nResources:\n- urn:turnkey:wallet-protocol:siwe\n- urn:turnkey:session-key:{session_key}",
        time(now),
        time(now + Duration::minutes(5)),
    )
}

/// A stamp by a key that a token vouches for: the crates have none.
struct Attested {
    token: String,
    key: TurnkeyP256ApiKey,
}

impl Stamp for Attested {
    fn stamp(&self, body: &[u8]) -> Result<StampHeader, StamperError> {
        let key = SigningKey::from_slice(&self.key.private_key()).expect("a key is a key");
        let signature: DerSignature = key.sign(body);
        let stamp = json!({
            "publicKeyAttestation": self.token,
            "scheme": "STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN",
            "publicKey": public_key(&self.key),
            "signature": hex::encode(signature.as_bytes()),
        });
        Ok(StampHeader { name: "X-Stamp-Attested".into(), value: URL_SAFE_NO_PAD.encode(stamp.to_string()) })
    }
}
