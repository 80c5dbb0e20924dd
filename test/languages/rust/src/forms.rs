use turnkey_client::TurnkeyClientError;

use crate::form::{Form, value_of};
use crate::setting::Client;

const TIMESTAMP_MS: u128 = 1_700_000_000_000;

/// Calls every operation that the client has in each form, for a server that only records what it is sent.
///
/// The operations are those of this version: `grep -oP 'pub async fn \K\w+'` over `generated/client.rs` of the crate.
pub async fn send_forms(client: &Client, organization_id: &str) {
    for form in [Form::Empty, Form::Bare, Form::One] {
        send_queries(client, organization_id, form).await;
        send_activities(client, organization_id, form).await;
    }
}

fn filled<T: serde::de::DeserializeOwned>(form: Form, organization_id: &str, operation: &str) -> Option<T> {
    value_of(form, organization_id).inspect_err(|error| println!("left out {operation}: {error}")).ok()
}

macro_rules! queries {
    ($client:ident, $form:ident, $organization_id:ident, $($operation:ident),+ $(,)?) => {{
        let mut errors = Vec::new();
        $(if let Some(request) = filled($form, $organization_id, stringify!($operation)) {
            errors.extend($client.$operation(request).await.err().map(|error| (stringify!($operation), error)));
        })+
        errors
    }};
}

macro_rules! activities {
    ($client:ident, $form:ident, $organization_id:ident, $($operation:ident),+ $(,)?) => {
        $(if let Some(parameters) = filled($form, $organization_id, stringify!($operation)) {
            let _ = $client.$operation($organization_id.to_string(), TIMESTAMP_MS, parameters).await;
        })+
    };
}

/// What the queries fail with.
pub async fn send_queries(
    client: &Client,
    organization_id: &str,
    form: Form,
) -> Vec<(&'static str, TurnkeyClientError)> {
    queries!(
        client,
        form,
        organization_id,
        get_whoami,
        get_sub_org_ids,
        get_verified_sub_org_ids,
        get_activity,
        get_activities,
        get_user,
        get_users,
        get_policies,
        get_policy,
        get_active_policies,
        get_private_key,
        get_private_keys,
        get_oauth_providers,
        get_api_keys,
        get_on_ramp_transaction_status,
        get_send_transaction_status,
        get_api_key,
        get_wallet_authenticators,
        get_authenticators,
        get_authenticator,
        list_user_tags,
        list_private_key_tags,
        get_smart_contract_interfaces,
        get_smart_contract_interface,
        get_wallets,
        get_wallet,
        get_wallet_accounts,
        get_wallet_account,
        get_organization_configs,
        get_policy_evaluations,
        get_boot_proof,
        get_latest_boot_proof,
        get_app_proofs,
        list_oauth2_credentials,
        list_webhook_endpoints,
        get_oauth2_credential,
        list_fiat_on_ramp_credentials,
        list_earn_vaults,
        list_earn_enabled_vaults,
        list_earn_positions,
        list_earn_rewards,
        get_earn_withdraw_status,
        get_earn_deposit_status,
        get_claim_earn_fees_status,
        get_earn_claim_rewards_status,
        get_earn_deploy_status,
        get_swap_status,
        get_swap_sponsorship_usage,
        get_gas_usage,
        get_nonces,
        get_tvc_quorum_keys,
        get_tvc_operators,
        get_tvc_apps,
        get_tvc_app,
        validate_tvc_image,
        get_tvc_qos_versions,
        get_tvc_manifest_generation_info,
        get_tvc_app_deployments,
        get_tvc_deployment,
        get_tvc_deployment_provisioning_details,
        get_app_status,
        get_tvc_deployment_debug_logs,
        get_wallet_address_balances,
        list_supported_assets,
        list_secrets,
        get_ip_allowlist,
        get_mfa_policy,
        get_mfa_policies,
        get_session_profile,
        get_session_profiles,
        get_mfa_status,
        list_email_events,
        list_eth_transaction_history,
        list_sol_transaction_history,
    )
}

async fn send_activities(client: &Client, organization_id: &str, form: Form) {
    activities!(
        client,
        form,
        organization_id,
        approve_activity,
        reject_activity,
        delete_users,
        create_policy,
        create_policies,
        update_policy,
        delete_policy,
        delete_policies,
        create_read_only_session,
        create_read_write_session,
        oauth_login,
        stamp_login,
        otp_login,
        create_private_keys,
        create_api_keys,
        delete_api_keys,
        create_authenticators,
        delete_authenticators,
        create_wallet_authenticators,
        delete_wallet_authenticators,
        create_invitations,
        delete_invitation,
        create_users,
        update_user,
        update_user_name,
        update_user_email,
        update_user_phone_number,
        create_user_tag,
        create_private_key_tag,
        update_user_tag,
        delete_user_tags,
        update_private_key_tag,
        delete_private_key_tags,
        sign_raw_payload,
        sign_raw_payloads,
        sign_transaction,
        create_smart_contract_interface,
        delete_smart_contract_interface,
        update_root_quorum,
        create_wallet,
        create_wallet_accounts,
        create_sub_organization,
        update_organization_name,
        init_user_email_recovery,
        recover_user,
        set_organization_feature,
        remove_organization_feature,
        export_private_key,
        export_wallet,
        email_auth,
        export_wallet_account,
        init_fiat_on_ramp,
        init_import_wallet,
        import_wallet,
        init_import_private_key,
        import_private_key,
        oauth,
        init_otp,
        verify_wallet_authenticator,
        verify_otp,
        init_otp_auth,
        otp_auth,
        create_oauth_providers,
        delete_oauth_providers,
        delete_private_keys,
        update_wallet,
        delete_wallets,
        delete_sub_organization,
        create_oauth2_credential,
        update_oauth2_credential,
        delete_oauth2_credential,
        create_webhook_endpoint,
        update_webhook_endpoint,
        delete_webhook_endpoint,
        oauth2_authenticate,
        delete_wallet_accounts,
        create_fiat_on_ramp_credential,
        update_fiat_on_ramp_credential,
        delete_fiat_on_ramp_credential,
        eth_send_transaction,
        sol_send_transaction,
        earn_deploy_wrapper,
        earn_deposit,
        earn_withdraw,
        earn_set_wrapper_state,
        claim_earn_fees,
        earn_claim_rewards,
        create_swap_quote,
        execute_swap,
        claim_swap_fees,
        upsert_swap_config,
        upsert_swap_fee_sponsorship_limit_config,
        upsert_swap_fixed_rate_limit_config,
        create_tvc_app,
        create_tvc_operator,
        delete_tvc_app_and_deployments,
        create_tvc_deployment,
        update_tvc_app_live_deployment,
        delete_tvc_deployment,
        restore_tvc_deployment,
        create_tvc_manifest_approvals,
        post_tvc_quorum_key_share,
        create_tvc_quorum_key,
        re_encrypt_tvc_quorum_key_share,
        set_ip_allowlist,
        remove_ip_allowlist,
        init_import_secrets,
        import_secrets,
        delete_secrets,
        export_secrets,
        spark_sign_frost,
        spark_prepare_transfer,
        spark_claim_transfer,
        spark_prepare_lightning_receive,
        create_mfa_policy,
        update_mfa_policy,
        delete_mfa_policy,
        create_session_profile,
        eth_undelegate7702,
    );
}
