import type { Contract, ContractFields, ContractOperation } from './facts.ts'

/**
 * What clients have published since the table of `test/vectors/facts/contract.json` was made, in its form. `source` is the package
 * and version whose declarations say so: their names and fields, read in November 2026.
 */
export type PublishedSince = {
  readonly source: string
  readonly operations: Contract['operations']
  /** Whole, where the table has none of the name; else the fields that were added. */
  readonly types: { readonly [name: string]: ContractFields }
  /** Values that were added. */
  readonly enums: { readonly [name: string]: readonly string[] }
}

const text = { type: 'string', required: true }
const optionalText = { type: 'string', required: false }
const texts = { type: 'string[]', required: true }
const organizationId = text
const walletType = { type: 'WalletAuthenticatorType', required: true }

export const publishedSince: readonly PublishedSince[] = [
  {
    source: '@turnkey/http 6.6.0',
    operations: [
      {
        operation: 'delete_secrets',
        kind: 'submit',
        path: '/public/v1/submit/delete_secrets',
        versions: [
          {
            type: 'ACTIVITY_TYPE_DELETE_SECRETS',
            intentKey: 'deleteSecretsIntent',
            resultKey: 'deleteSecretsResult',
            parameters: { secretIds: texts },
            result: { secretIds: texts },
          },
        ],
      },
      {
        operation: 'get_active_policies',
        kind: 'query',
        path: '/public/v1/query/get_active_policies',
        request: { organizationId },
        response: {
          statuses: { type: 'ActivePolicyStatus[]', required: true },
          evaluatedAtMs: { type: 'string(uint64)', required: true },
        },
      },
      {
        operation: 'list_app_proofs',
        kind: 'query',
        path: '/public/v1/query/list_app_proofs',
        request: { organizationId, activityId: text },
        response: { appProofs: { type: 'AppProof[]', required: true } },
      },
    ],
    types: {
      ActivePolicyStatus: {
        organizationId,
        policyId: text,
        active: { type: 'boolean', required: true },
        timeExpr: optionalText,
        error: optionalText,
      },
      ExportSecretParams: { requestContext: { type: 'KeyValue[]', required: false } },
    },
    enums: { ActivityType: ['ACTIVITY_TYPE_DELETE_SECRETS'] },
  },
  {
    source: 'turnkey_client 0.17.1',
    operations: [
      {
        operation: 'verify_wallet_authenticator',
        kind: 'submit',
        path: '/public/v1/submit/verify_wallet_authenticator',
        versions: [
          {
            type: 'ACTIVITY_TYPE_VERIFY_WALLET_AUTHENTICATOR',
            intentKey: 'verifyWalletAuthenticatorIntent',
            resultKey: 'verifyWalletAuthenticatorResult',
            parameters: { message: text, signature: text, publicKey: text },
            result: { verificationToken: text },
          },
        ],
      },
      {
        operation: 'create_wallet_authenticators',
        kind: 'submit',
        path: '/public/v1/submit/create_wallet_authenticators',
        versions: [
          {
            type: 'ACTIVITY_TYPE_CREATE_WALLET_AUTHENTICATORS',
            intentKey: 'createWalletAuthenticatorsIntent',
            resultKey: 'createWalletAuthenticatorsResult',
            parameters: {
              userId: text,
              walletAuthenticators: { type: 'WalletAuthenticatorParams[]', required: true },
            },
            result: { walletAuthenticatorIds: texts },
          },
        ],
      },
      {
        operation: 'delete_wallet_authenticators',
        kind: 'submit',
        path: '/public/v1/submit/delete_wallet_authenticators',
        versions: [
          {
            type: 'ACTIVITY_TYPE_DELETE_WALLET_AUTHENTICATORS',
            intentKey: 'deleteWalletAuthenticatorsIntent',
            resultKey: 'deleteWalletAuthenticatorsResult',
            parameters: { userId: text, walletAuthenticatorIds: texts },
            result: { walletAuthenticatorIds: texts },
          },
        ],
      },
      {
        operation: 'get_wallet_authenticators',
        kind: 'query',
        path: '/public/v1/query/get_wallet_authenticators',
        request: { organizationId, userId: text },
        response: { walletAuthenticators: { type: 'WalletAuthenticator[]', required: true } },
      },
      ...[
        'query/get_swap_sponsorship_usage',
        'query/get_tvc_manifest_generation_info',
        'submit/upsert_swap_fee_sponsorship_limit_config',
        'submit/upsert_swap_fixed_rate_limit_config',
      ].map(leftOut),
    ],
    types: {
      WalletAuthenticatorParams: {
        type: walletType,
        address: text,
        domain: text,
        verificationToken: optionalText,
      },
      WalletAuthenticator: {
        walletAuthenticatorId: text,
        type: walletType,
        address: text,
        domain: text,
        createdAt: { type: 'Timestamp', required: true },
        updatedAt: { type: 'Timestamp', required: true },
      },
      User: { walletAuthenticators: { type: 'WalletAuthenticator[]', required: true } },
    },
    enums: {
      ActivityType: [
        'ACTIVITY_TYPE_VERIFY_WALLET_AUTHENTICATOR',
        'ACTIVITY_TYPE_CREATE_WALLET_AUTHENTICATORS',
        'ACTIVITY_TYPE_DELETE_WALLET_AUTHENTICATORS',
      ],
      AuthenticationType: ['AUTHENTICATION_TYPE_WALLET'],
      WalletAuthenticatorType: ['WALLET_AUTHENTICATOR_TYPE_ETHEREUM', 'WALLET_AUTHENTICATOR_TYPE_SOLANA'],
    },
  },
]

/** An operation of which nothing is needed but its path. */
function leftOut(path: string): ContractOperation {
  const [kind = '', operation = ''] = path.split('/')
  return { operation, kind: kind === 'query' ? 'query' : 'submit', path: `/public/v1/${path}` }
}
