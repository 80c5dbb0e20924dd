//! One of each other thing that an organization may hold, so that the crate reads each of them.

use turnkey_client::TurnkeyP256ApiKey;
use turnkey_client::generated::immutable::common::v1::{
    AccessType, AuthenticationType, Effect, SmartContractInterfaceType,
};
use turnkey_client::generated::*;

use crate::people::user;
use crate::setting::{Setting, Walked, expect};

const INTERFACE: &str = r#"[{"type":"function","name":"burn","inputs":[{"name":"amount","type":"uint256"}]}]"#;

pub async fn one_of_each(here: &Setting) -> Walked {
    let user_id = user(here, "With a second factor", &TurnkeyP256ApiKey::generate()).await?;
    let passkey = AuthenticationMethodParams { r#type: AuthenticationType::Passkey, id: None };
    let second_factor = CreateMfaPolicyIntent {
        user_id: user_id.clone(),
        mfa_policy_name: "Sign with a passkey too".into(),
        condition: "activity.action == 'SIGN'".into(),
        required_authentication_methods: vec![RequiredAuthenticationMethodParams { any: vec![passkey] }],
        order: 0,
        notes: None,
    };
    here.client.create_mfa_policy(here.organization(), here.now(), second_factor).await?;
    let invitation = InvitationParams {
        receiver_user_name: "Invited".into(),
        receiver_user_email: "invited@example.com".into(),
        receiver_user_tags: vec![],
        access_type: AccessType::Web,
        sender_user_id: here.user_id.clone(),
    };
    let intent = CreateInvitationsIntent { invitations: vec![invitation] };
    here.client.create_invitations(here.organization(), here.now(), intent).await?;
    let policy = CreatePolicyIntentV3 {
        policy_name: "Nobody deletes".into(),
        effect: Effect::Deny,
        condition: Some("false".into()),
        consensus: None,
        notes: String::new(),
        time: None,
    };
    here.client
        .create_policies(here.organization(), here.now(), CreatePoliciesIntent { policies: vec![policy] })
        .await?;
    let tag = CreatePrivateKeyTagIntent { private_key_tag_name: "Cold".into(), private_key_ids: vec![] };
    here.client.create_private_key_tag(here.organization(), here.now(), tag).await?;
    ways_in_and_out(here).await?;
    let request = GetUserRequest { organization_id: here.organization(), user_id };
    let stored = here.client.get_user(request).await?.user.ok_or("no user")?;
    expect(stored.mfa_policies.len() == 1, "no second factor")
}

async fn ways_in_and_out(here: &Setting) -> Walked {
    let profile = CreateSessionProfileIntent {
        session_profile_name: "Signs only".into(),
        scope: "activity.action == 'SIGN'".into(),
        expiration_seconds: None,
        notes: None,
    };
    here.client.create_session_profile(here.organization(), here.now(), profile).await?;
    let subscription =
        WebhookSubscriptionParams { event_type: "ACTIVITY_UPDATES".into(), filters_json: None, is_active: None };
    let endpoint = CreateWebhookEndpointIntent {
        url: "https://example.com/hooks".into(),
        name: "Ledger".into(),
        subscriptions: vec![subscription],
    };
    here.client.create_webhook_endpoint(here.organization(), here.now(), endpoint).await?;
    let allowlist = SetIpAllowlistIntent {
        public_key: None,
        enabled: Some(true),
        rules: vec![IpAllowlistIntentRule { cidr: "127.0.0.1/32".into(), label: None }],
        on_evaluation_error: None,
    };
    here.client.set_ip_allowlist(here.organization(), here.now(), allowlist).await?;
    let contract = CreateSmartContractInterfaceIntent {
        smart_contract_address: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48".into(),
        smart_contract_interface: INTERFACE.into(),
        r#type: SmartContractInterfaceType::Ethereum,
        label: "A token".into(),
        notes: String::new(),
    };
    here.client.create_smart_contract_interface(here.organization(), here.now(), contract).await?;
    Ok(())
}
