import type { Contract, ContractFields, ContractOperation, ContractVersion } from './facts.ts'

/**
 * What clients have published since the table of `test/vectors/facts/contract.json` was made, in its form. `source` is
 * the package and version whose declarations say so: their names and fields, read in November 2026.
 */
export type PublishedSince = {
  readonly source: string
  readonly operations: Contract['operations']
  /** Whole, where the table has none of the name; else the fields that were added. */
  readonly types: { readonly [name: string]: ContractFields }
  /** Values that were added. */
  readonly enums: { readonly [name: string]: readonly string[] }
  /** What the client reads of the answer to a version, where the table has another. */
  readonly answers?: { readonly [type: string]: Pick<ContractVersion, 'resultKey' | 'result'> }
}

const text = { type: 'string', required: true }
const optionalText = { type: 'string', required: false }
const texts = { type: 'string[]', required: true }
const organizationId = text
/** An object without fields: that it is there is all that it says. */
const flag = { type: 'Nothing', required: false }
const walletType = { type: 'WalletAuthenticatorType', required: true }

export const publishedSince: readonly PublishedSince[] = [
  {
    // As `proto/activities.json` of the Rust client and `codegen/inputs/activities.json` of the Go client have it.
    source: 'com.turnkey:http, February 2026',
    operations: [],
    types: {},
    enums: {},
    answers: { ACTIVITY_TYPE_INIT_OTP_V2: { resultKey: 'initOtpResult', result: { otpId: text } } },
  },
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
        operation: 'create_velocity_control',
        kind: 'submit',
        path: '/public/v1/submit/create_velocity_control',
        versions: [
          {
            type: 'ACTIVITY_TYPE_CREATE_VELOCITY_CONTROL',
            intentKey: 'createVelocityControlIntent',
            resultKey: 'createVelocityControlResult',
            parameters: {
              name: text,
              dataSource: { type: 'VelocityControlDataSource', required: true },
              aggregation: { type: 'VelocityControlAggregation', required: true },
              identifier: text,
            },
            result: { velocityControlId: text },
          },
        ],
      },
      {
        operation: 'delete_velocity_control',
        kind: 'submit',
        path: '/public/v1/submit/delete_velocity_control',
        versions: [
          {
            type: 'ACTIVITY_TYPE_DELETE_VELOCITY_CONTROL',
            intentKey: 'deleteVelocityControlIntent',
            resultKey: 'deleteVelocityControlResult',
            parameters: { velocityControlId: text },
            result: { velocityControlId: text },
          },
        ],
      },
      {
        operation: 'get_velocity_control',
        kind: 'query',
        path: '/public/v1/query/get_velocity_control',
        request: { organizationId, velocityControlId: text },
        response: { velocityControl: { type: 'VelocityControl', required: true } },
      },
      {
        operation: 'list_velocity_controls',
        kind: 'query',
        path: '/public/v1/query/list_velocity_controls',
        request: { organizationId, paginationOptions: { type: 'Pagination', required: false } },
        response: {
          velocityControls: { type: 'VelocityControl[]', required: true },
          pageInfo: { type: 'PageInfo', required: true },
        },
      },
      {
        operation: 'get_organization',
        kind: 'query',
        path: '/public/v1/query/get_organization',
        request: { organizationId },
        response: { organizationData: { type: 'OrganizationData', required: true } },
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
      OrganizationData: {
        organizationId: optionalText,
        name: optionalText,
        users: { type: 'User[]', required: false },
        policies: { type: 'Policy[]', required: false },
        privateKeys: { type: 'PrivateKey[]', required: false },
        invitations: { type: 'Invitation[]', required: false },
        tags: { type: 'datav1Tag[]', required: false },
        rootQuorum: { type: 'Quorum', required: false },
        features: { type: 'Feature[]', required: false },
        wallets: { type: 'Wallet[]', required: false },
        smartContractInterfaceReferences: { type: 'SmartContractInterfaceReference[]', required: false },
      },
      Invitation: {
        invitationId: text,
        receiverUserName: text,
        receiverEmail: text,
        receiverUserTags: texts,
        accessType: { type: 'AccessType', required: true },
        status: { type: 'InvitationStatus', required: true },
        createdAt: { type: 'Timestamp', required: true },
        updatedAt: { type: 'Timestamp', required: true },
        senderUserId: text,
      },
      ActivePolicyStatus: {
        organizationId,
        policyId: text,
        active: { type: 'boolean', required: true },
        timeExpr: optionalText,
        error: optionalText,
      },
      VelocityControl: {
        velocityControlId: text,
        organizationId,
        name: text,
        dataSource: { type: 'VelocityControlDataSource', required: true },
        aggregation: { type: 'VelocityControlAggregation', required: true },
        createdAt: { type: 'Timestamp', required: true },
        updatedAt: { type: 'Timestamp', required: true },
        identifier: text,
      },
      VelocityControlDataSource: {
        chainAssetTransfer: { type: 'VelocityControlTransfers', required: false },
        activityExecution: { type: 'VelocityControlExecutions', required: false },
      },
      VelocityControlTransfers: {
        definition: { type: 'VelocityControlAsset[]', required: true },
        filter: { type: 'VelocityControlFilter', required: false },
        phase: { type: 'VelocityControlPhase', required: false },
      },
      VelocityControlAsset: { caip19: text, decimals: text },
      VelocityControlExecutions: { filter: { type: 'VelocityControlFilter', required: false } },
      VelocityControlFilter: { activity: { type: 'VelocityControlActivity[]', required: false } },
      VelocityControlActivity: { activityType: text },
      VelocityControlPhase: { signature: flag, submission: flag },
      VelocityControlAggregation: {
        method: { type: 'VelocityControlMethod', required: true },
        operator: { type: 'VelocityControlOperator', required: true },
        threshold: text,
        window: { type: 'VelocityControlWindow', required: true },
        groupBy: { type: 'VelocityControlGroupBy', required: true },
      },
      VelocityControlWindow: {
        rolling: { type: 'VelocityControlRolling', required: false },
        infinite: flag,
      },
      VelocityControlRolling: { duration: text },
      VelocityControlGroupBy: { organization: flag, user: flag, wallet: flag },
      Nothing: {},
      ExportSecretParams: { requestContext: { type: 'KeyValue[]', required: false } },
    },
    enums: {
      ActivityType: [
        'ACTIVITY_TYPE_DELETE_SECRETS',
        'ACTIVITY_TYPE_CREATE_VELOCITY_CONTROL',
        'ACTIVITY_TYPE_DELETE_VELOCITY_CONTROL',
      ],
      InvitationStatus: [
        'INVITATION_STATUS_CREATED',
        'INVITATION_STATUS_ACCEPTED',
        'INVITATION_STATUS_REVOKED',
      ],
      VelocityControlMethod: [
        'VELOCITY_CONTROL_AGGREGATION_METHOD_SUM',
        'VELOCITY_CONTROL_AGGREGATION_METHOD_COUNT',
      ],
      VelocityControlOperator: [
        'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN',
        'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN_OR_EQUAL',
        'VELOCITY_CONTROL_AGGREGATION_OPERATOR_EQUAL',
        'VELOCITY_CONTROL_AGGREGATION_OPERATOR_GREATER_THAN_OR_EQUAL',
        'VELOCITY_CONTROL_AGGREGATION_OPERATOR_GREATER_THAN',
      ],
    },
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
      ].map(unsupportedPath),
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
function unsupportedPath(path: string): ContractOperation {
  const [kind = '', operation = ''] = path.split('/')
  return { operation, kind: kind === 'query' ? 'query' : 'submit', path: `/public/v1/${path}` }
}
