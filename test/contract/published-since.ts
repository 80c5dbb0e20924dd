import type { Contract, ContractFields } from './facts.ts'

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
]
