import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, named, object, organizationIdText, text, uuid } from '../../../trusted/catalogue/shape.ts'
import { knownActivity } from '../activities/known-activity.ts'

const anyText = text({ max: 65_536 })

const appProof = named(
  'AppProof',
  object({ scheme: anyText, publicKey: anyText, proofPayload: anyText, signature: anyText }),
)

/** This service has no enclave, so the list is empty for an existing activity; an unknown activity is a failure. */
export const listAppProofs = defineQuery({
  operation: 'list_app_proofs',
  summary:
    'List the enclave proofs of an activity; the list is always empty, because this service has no enclave',
  request: object({ organizationId: organizationIdText, activityId: uuid }),
  response: object({ appProofs: list(appProof, { max: 0 }) }),
  example: { activityId: '0198c5a0-7d3c-7000-8000-000000000009' },
  long: 'record',
  answer: async ({ activityId }, reader) => {
    await knownActivity(reader, activityId)
    return { appProofs: [] }
  },
})
