import { defineFailure, type Failure, UNIMPLEMENTED } from '../../trusted/base/failure.ts'

/** Published clients have this path, but this service will never offer it; retrying is useless. */
const notOffered = defineFailure<{ readonly operation: string; readonly why: string }>({
  kind: 'notOffered',
  code: UNIMPLEMENTED,
  say: ({ operation, why }) => `not offered here: ${operation}: ${why}`,
})

/** What to answer to a path of the published interface that is left out on purpose; undefined for every other path. */
export function unsupportedPath(path: string): Failure | undefined {
  if (!path.startsWith(BASE)) return undefined
  const operation = path.slice(BASE.length)
  const part = PARTS.find(({ operations }) => operations.includes(operation))
  return part && notOffered({ operation: operation.slice(operation.indexOf('/') + 1), why: part.why })
}

const BASE = '/public/v1/'

/** docs/decisions/not-offered.md */
const PARTS: readonly { readonly why: string; readonly operations: readonly string[] }[] = [
  {
    why: 'this service signs transactions and does not send them; send what sign_transaction answers to a node',
    operations: [
      'submit/eth_send_transaction',
      'submit/eth_send_raw_transaction',
      'submit/eth_undelegate_7702',
      'submit/sol_send_transaction',
      'query/get_gas_usage',
      'query/get_send_transaction_status',
    ],
  },
  {
    why: 'this service reads no chain; ask a node',
    operations: [
      'query/get_nonces',
      'query/get_wallet_address_balances',
      'query/list_eth_transaction_history',
      'query/list_sol_transaction_history',
      'query/list_supported_assets',
    ],
  },
  {
    why: 'this service trades nothing; sign the transaction of an exchange with sign_transaction',
    operations: [
      'submit/claim_swap_fees',
      'submit/create_swap_quote',
      'submit/execute_swap',
      'submit/upsert_swap_config',
      'submit/upsert_swap_fee_sponsorship_limit_config',
      'submit/upsert_swap_fixed_rate_limit_config',
      'query/get_swap_sponsorship_usage',
      'query/get_swap_status',
    ],
  },
  {
    why: 'this service invests nothing; sign the transaction of a vault with sign_transaction',
    operations: [
      'submit/claim_earn_fees',
      'submit/earn_claim_rewards',
      'submit/earn_deploy_wrapper',
      'submit/earn_deposit',
      'submit/earn_set_wrapper_state',
      'submit/earn_withdraw',
      'query/get_claim_earn_fees_status',
      'query/get_earn_claim_rewards_status',
      'query/get_earn_deploy_status',
      'query/get_earn_deposit_status',
      'query/get_earn_withdraw_status',
      'query/list_earn_enabled_vaults',
      'query/list_earn_positions',
      'query/list_earn_rewards',
      'query/list_earn_vaults',
    ],
  },
  {
    why: 'this service sells no currency',
    operations: [
      'submit/create_fiat_on_ramp_credential',
      'submit/delete_fiat_on_ramp_credential',
      'submit/init_fiat_on_ramp',
      'submit/update_fiat_on_ramp_credential',
      'query/get_onramp_transaction_status',
      'query/list_fiat_on_ramp_credentials',
    ],
  },
  {
    why: 'Spark is none of the protocols that this service signs for',
    operations: [
      'submit/spark_claim_transfer',
      'submit/spark_prepare_lightning_receive',
      'submit/spark_prepare_transfer',
      'submit/spark_sign_frost',
    ],
  },
  {
    why: 'this service runs no applications of others',
    operations: [
      'submit/create_tvc_app',
      'submit/create_tvc_deployment',
      'submit/create_tvc_manifest_approvals',
      'submit/create_tvc_operator',
      'submit/create_tvc_quorum_key',
      'submit/delete_tvc_app_and_deployments',
      'submit/delete_tvc_deployment',
      'submit/post_tvc_quorum_key_share',
      'submit/re_encrypt_tvc_quorum_key_share',
      'submit/restore_tvc_deployment',
      'submit/set_tvc_app_live_deployment',
      'query/get_app_status',
      'query/get_tvc_app',
      'query/get_tvc_deployment',
      'query/get_tvc_deployment_debug_logs',
      'query/get_tvc_deployment_provisioning_details',
      'query/get_tvc_manifest_generation_info',
      'query/get_tvc_qos_versions',
      'query/list_tvc_app_deployments',
      'query/list_tvc_apps',
      'query/list_tvc_operators',
      'query/list_tvc_quorum_keys',
      'query/validate_tvc_image',
    ],
  },
  {
    why: 'the vault is a process and no enclave, and nothing attests how it was started (SECURITY.md)',
    operations: ['query/get_boot_proof', 'query/get_latest_boot_proof'],
  },
]
