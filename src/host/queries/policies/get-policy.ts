import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { knownPolicy } from '../../../trusted/charter/policies.ts'
import { policyView } from '../../../trusted/charter/view.ts'
import { policyShape } from '../shapes.ts'

export const getPolicy = defineQuery({
  operation: 'get_policy',
  summary: 'Show a policy',
  request: object({ organizationId: organizationIdText, policyId: uuid }),
  response: object({ policy: policyShape }),
  answer: ({ policyId }, { charter }) => ({ policy: policyView(knownPolicy(charter, policyId)) }),
})
