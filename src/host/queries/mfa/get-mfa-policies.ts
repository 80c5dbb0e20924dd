import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { knownUser } from '../../../trusted/charter/members.ts'
import { mfaPolicyView } from '../../../trusted/charter/view.ts'
import { mfaPolicyShape } from './mfa-shapes.ts'

export const getMfaPolicies = defineQuery({
  operation: 'get_mfa_policies',
  summary: 'List the MFA policies of a user, in their order',
  request: object({ organizationId: organizationIdText, userId: uuid }),
  response: object({ mfaPolicies: list(mfaPolicyShape, { max: limits.mfaPoliciesPerUser }) }),
  example: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
  answer: ({ userId }, { charter }) => ({
    mfaPolicies: knownUser(charter, userId).mfaPolicies.map(mfaPolicyView),
  }),
})
