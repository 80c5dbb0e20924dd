import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { knownPolicy } from '../../../trusted/charter/policies.ts'
import { policyView } from '../../../trusted/charter/view.ts'
import { policyShape } from '../shapes.ts'

export const getPolicy = defineQuery({
  operation: 'get_policy',
  summary: 'Get a policy',
  request: object({ organizationId: organizationIdText, policyId: uuid }),
  response: object({ policy: policyShape }),
  example: { policyId: '0198c5a0-7d3c-7000-8000-000000000001' },
  answer: ({ policyId }, { charter }) => ({ policy: policyView(knownPolicy(charter, policyId)) }),
})
