import { defineQuery } from '../../catalogue/query.ts'
import { list, object, organizationIdText } from '../../catalogue/shape.ts'
import { limits } from '../../charter/limits.ts'
import { policyView } from '../../charter/view.ts'
import { policyShape } from '../shapes.ts'

export const listPolicies = defineQuery({
  operation: 'list_policies',
  summary: 'List the policies of an organization',
  request: object({ organizationId: organizationIdText }),
  response: object({ policies: list(policyShape, { max: limits.policies }) }),
  answer: (_, { charter }) => ({ policies: charter.policies.map(policyView) }),
})
