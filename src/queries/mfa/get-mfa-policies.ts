import { defineQuery } from '../../catalogue/query.ts'
import { list, object, organizationIdText, uuid } from '../../catalogue/shape.ts'
import { limits } from '../../charter/limits.ts'
import { knownUser } from '../../charter/members.ts'
import { mfaPolicyView } from '../../charter/view.ts'
import { mfaPolicyShape } from './mfa-shapes.ts'

export const getMfaPolicies = defineQuery({
  operation: 'get_mfa_policies',
  summary: 'List the MFA policies of a user, in their order',
  request: object({ organizationId: organizationIdText, userId: uuid }),
  response: object({ mfaPolicies: list(mfaPolicyShape, { max: limits.mfaPoliciesPerUser }) }),
  answer: ({ userId }, { charter }) => ({
    mfaPolicies: knownUser(charter, userId).mfaPolicies.map(mfaPolicyView),
  }),
})
