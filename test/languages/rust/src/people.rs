//! Organizations, the people in them, and who decides.

use turnkey_client::generated::immutable::common::v1::{ApiKeyCurve, Effect};
use turnkey_client::generated::*;
use turnkey_client::{TurnkeyClientError, TurnkeyP256ApiKey};

use crate::setting::{Client, Outcome, Setting, Walked, expect, public_key};

pub async fn whoami(here: &Setting) -> Walked {
    let me = here.client.get_whoami(GetWhoamiRequest { organization_id: here.organization() }).await?;
    expect((me.organization_id, me.user_id) == (here.organization(), here.user_id.clone()), "somebody else")
}

pub async fn organizations(here: &Setting) -> Walked {
    let key = TurnkeyP256ApiKey::generate();
    let (sub_id, user_id) = sub_organization(here, "ada@example.com", &key).await?;
    let request = GetSubOrgIdsRequest {
        organization_id: here.organization(),
        filter_type: "EMAIL".into(),
        filter_value: "ada@example.com".into(),
        pagination_options: None,
    };
    expect(here.client.get_sub_org_ids(request).await?.organization_ids == [sub_id.clone()], "not found by mail")?;
    // Rust writes what it does not filter by as an empty text, and the ends of a page too.
    let all = GetSubOrgIdsRequest {
        organization_id: here.organization(),
        filter_type: String::new(),
        filter_value: String::new(),
        pagination_options: Some(external::options::v1::Pagination {
            limit: "10".into(),
            before: String::new(),
            after: String::new(),
        }),
    };
    expect(here.client.get_sub_org_ids(all).await?.organization_ids == [sub_id.clone()], "not listed")?;

    let ada = here.client_of(key);
    let renamed = UpdateOrganizationNameIntent { organization_name: "Of Ada alone".into() };
    ada.update_organization_name(sub_id.clone(), here.now(), renamed).await?;
    let me = ada.get_whoami(GetWhoamiRequest { organization_id: sub_id.clone() }).await?;
    expect((me.organization_name.as_str(), me.user_id) == ("Of Ada alone", user_id), "not renamed")?;
    let configs = ada.get_organization_configs(GetOrganizationConfigsRequest { organization_id: sub_id.clone() });
    expect(configs.await?.configs.and_then(|configs| configs.quorum).is_some(), "no quorum")?;
    let gone = DeleteSubOrganizationIntent { delete_without_export: Some(true) };
    ada.delete_sub_organization(sub_id, here.now(), gone).await?;
    Ok(())
}

pub async fn users(here: &Setting) -> Walked {
    let key = TurnkeyP256ApiKey::generate();
    let user_id = user(here, "Grace", &key).await?;
    let name = UpdateUserNameIntent { user_id: user_id.clone(), user_name: "Grace Hopper".into() };
    here.client.update_user_name(here.organization(), here.now(), name).await?;
    let tag = CreateUserTagIntent { user_tag_name: "Admirals".into(), user_ids: vec![user_id.clone()] };
    let tag_id = here.client.create_user_tag(here.organization(), here.now(), tag).await?.result.user_tag_id;
    // The crate cannot leave the tags out: the change of an address must not take them.
    let address = UpdateUserIntent {
        user_id: user_id.clone(),
        user_name: None,
        user_email: Some("grace@example.com".into()),
        user_tag_ids: vec![],
        user_phone_number: None,
    };
    here.client.update_user(here.organization(), here.now(), address).await?;
    let request = GetUserRequest { organization_id: here.organization(), user_id: user_id.clone() };
    let grace = here.client.get_user(request).await?.user.ok_or("no user")?;
    expect(
        grace.user_name == "Grace Hopper" && grace.user_email.as_deref() == Some("grace@example.com"),
        "not changed",
    )?;
    expect(grace.user_tags == [tag_id], "the change of an address took the tags")?;
    let tags =
        here.client.list_user_tags(ListUserTagsRequest { organization_id: here.organization() }).await?.user_tags;
    expect(tags.iter().any(|tag| tag.tag_name == "Admirals"), "the tag is not listed")?;

    let own = here.client_of(key);
    let second = TurnkeyP256ApiKey::generate();
    let more = CreateApiKeysIntentV2 { api_keys: vec![api_key(&second)], user_id: user_id.clone() };
    let api_key_ids = own.create_api_keys(here.organization(), here.now(), more).await?.result.api_key_ids;
    here.client_of(second).get_whoami(GetWhoamiRequest { organization_id: here.organization() }).await?;
    let fewer = DeleteApiKeysIntent { user_id: user_id.clone(), api_key_ids };
    own.delete_api_keys(here.organization(), here.now(), fewer).await?;
    let request = GetApiKeysRequest { organization_id: here.organization(), user_id: Some(user_id.clone()) };
    expect(own.get_api_keys(request).await?.api_keys.len() == 1, "the second key is left")?;

    let gone = DeleteUsersIntent { user_ids: vec![user_id] };
    here.client.delete_users(here.organization(), here.now(), gone).await?;
    let users = here.client.get_users(GetUsersRequest { organization_id: here.organization() }).await?.users;
    expect(users.len() == 1, "the user is left")
}

pub async fn policies(here: &Setting) -> Walked {
    let key = TurnkeyP256ApiKey::generate();
    let user_id = user(here, "Maker of tags", &key).await?;
    let member = here.client_of(key);
    refused(make_tag(here, &member, "By a member").await)?;
    let policy = CreatePolicyIntentV3 {
        policy_name: "Members make tags".into(),
        effect: Effect::Allow,
        condition: Some("activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'".into()),
        consensus: Some(format!("approvers.any(user, user.id == '{user_id}')")),
        notes: String::new(),
        time: None,
    };
    let policy_id = here.client.create_policy(here.organization(), here.now(), policy).await?.result.policy_id;
    make_tag(here, &member, "By a member").await?;
    let denied = UpdatePolicyIntentV2 {
        policy_id: policy_id.clone(),
        policy_name: None,
        policy_effect: Some(Effect::Deny),
        policy_condition: None,
        policy_consensus: None,
        policy_notes: None,
        time: None,
    };
    here.client.update_policy(here.organization(), here.now(), denied).await?;
    let request = GetPolicyRequest { organization_id: here.organization(), policy_id: policy_id.clone() };
    let policy = here.client.get_policy(request).await?.policy.ok_or("no policy")?;
    expect(policy.policy_name == "Members make tags" && policy.effect == Effect::Deny, "not changed")?;
    refused(make_tag(here, &member, "Another").await)?;
    let listed = here.client.get_policies(GetPoliciesRequest { organization_id: here.organization() }).await?.policies;
    expect(listed.len() == 1, "not one policy")?;
    here.client.delete_policy(here.organization(), here.now(), DeletePolicyIntent { policy_id }).await?;
    Ok(())
}

pub async fn approval(here: &Setting) -> Walked {
    let keys = [TurnkeyP256ApiKey::generate(), TurnkeyP256ApiKey::generate()];
    for (key, name) in keys.iter().zip(["First", "Second"]) {
        user(here, name, key).await?;
    }
    let [first, second] = keys.map(|key| here.client_of(key));
    let policy = CreatePolicyIntentV3 {
        policy_name: "Two of them make tags".into(),
        effect: Effect::Allow,
        condition: Some("activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'".into()),
        consensus: Some("approvers.count() == 2".into()),
        notes: "Both".into(),
        time: None,
    };
    here.client.create_policy(here.organization(), here.now(), policy).await?;

    let pending = waiting(here, &first, "Wanted by two").await?;
    let yes = ApproveActivityIntent { fingerprint: pending.fingerprint };
    second.approve_activity(here.organization(), here.now(), yes).await?;
    let approved = activity(here, &first, pending.id).await?;
    expect(approved.status == ActivityStatus::Completed && approved.votes.len() == 2, "not approved")?;

    let pending = waiting(here, &first, "Wanted by one").await?;
    let no = RejectActivityIntent { fingerprint: pending.fingerprint };
    // The crate takes what was asked for and is done as a failure: the activity is then rejected.
    let rejected = second.reject_activity(here.organization(), here.now(), no).await;
    expect(
        matches!(rejected, Ok(_) | Err(TurnkeyClientError::UnexpectedActivityStatus(_))),
        "the rejection was refused",
    )?;
    expect(activity(here, &first, pending.id).await?.status == ActivityStatus::Rejected, "not rejected")?;
    let request = GetActivitiesRequest {
        organization_id: here.organization(),
        filter_by_status: vec![ActivityStatus::Rejected],
        pagination_options: None,
        filter_by_type: vec![],
    };
    expect(first.get_activities(request).await?.activities.len() == 1, "not one rejected")
}

/// A sub-organization with one root user, who has an address and a key.
pub async fn sub_organization(here: &Setting, email: &str, key: &TurnkeyP256ApiKey) -> Walked<(String, String)> {
    let root = RootUserParamsV5 {
        user_name: "Root".into(),
        user_email: Some(email.into()),
        user_phone_number: None,
        api_keys: vec![api_key(key)],
        authenticators: vec![],
        oauth_providers: vec![],
    };
    let intent = CreateSubOrganizationIntentV8 {
        sub_organization_name: format!("Of {email}"),
        root_users: vec![root],
        root_quorum_threshold: 1,
        wallet: None,
        disable_email_recovery: None,
        disable_email_auth: None,
        disable_sms_auth: None,
        disable_otp_email_auth: None,
        verification_token: None,
        client_signature: None,
    };
    let made = here.client.create_sub_organization(here.organization(), here.now(), intent).await?.result;
    Ok((made.sub_organization_id, made.root_user_ids.into_iter().next().ok_or("no root user")?))
}

pub async fn user(here: &Setting, name: &str, key: &TurnkeyP256ApiKey) -> Walked<String> {
    let user = UserParamsV4 {
        user_name: name.into(),
        user_email: None,
        user_phone_number: None,
        api_keys: vec![api_key(key)],
        authenticators: vec![],
        oauth_providers: vec![],
        user_tags: vec![],
    };
    let intent = CreateUsersIntentV4 { users: vec![user] };
    let made = here.client.create_users(here.organization(), here.now(), intent).await?.result;
    Ok(made.user_ids.into_iter().next().ok_or("no user")?)
}

fn api_key(key: &TurnkeyP256ApiKey) -> ApiKeyParamsV2 {
    ApiKeyParamsV2 {
        api_key_name: "Key".into(),
        public_key: public_key(key),
        curve_type: ApiKeyCurve::P256,
        expiration_seconds: None,
    }
}

async fn make_tag(here: &Setting, by: &Client, name: &str) -> Outcome<String> {
    let intent = CreateUserTagIntent { user_tag_name: name.into(), user_ids: vec![] };
    Ok(by.create_user_tag(here.organization(), here.now(), intent).await?.activity_id)
}

/// An activity that waits for somebody else.
async fn waiting(here: &Setting, by: &Client, tag_name: &str) -> Walked<Activity> {
    match make_tag(here, by, tag_name).await {
        Err(TurnkeyClientError::ActivityRequiresApproval(id)) => activity(here, by, id).await,
        other => Err(format!("nobody else was asked: {other:?}").into()),
    }
}

async fn activity(here: &Setting, by: &Client, activity_id: String) -> Walked<Activity> {
    let request = GetActivityRequest { organization_id: here.organization(), activity_id };
    Ok(by.get_activity(request).await?.activity.ok_or("no activity")?)
}

fn refused<T>(outcome: Outcome<T>) -> Walked {
    match outcome {
        Err(TurnkeyClientError::UnexpectedHttpStatus(403, _)) => Ok(()),
        Err(other) => Err(other.into()),
        Ok(_) => Err("a request that no policy allows was carried out".into()),
    }
}
