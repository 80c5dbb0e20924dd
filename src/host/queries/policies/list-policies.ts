import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { policyView } from '../../../trusted/charter/view.ts'
import { policyShape } from '../shapes.ts'

export const listPolicies = defineQuery({
  operation: 'list_policies',
  summary: 'List the policies of an organization',
  request: object({ organizationId: organizationIdText }),
  response: object({ policies: list(policyShape, { max: limits.policies }) }),
  example: {},
  answer: (_, { charter }) => ({ policies: charter.policies.map(policyView) }),
})
