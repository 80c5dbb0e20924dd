import { defineQuery } from '../../catalogue/query.ts'
import { object, text, uuid } from '../../catalogue/shape.ts'
import { knownPolicy } from '../../charter/policies.ts'
import { policyView } from '../../charter/view.ts'
import { policyShape } from '../shapes.ts'

export const getPolicy = defineQuery({
  operation: 'get_policy',
  summary: 'Show a policy',
  request: object({ organizationId: text({ max: 64 }), policyId: uuid }),
  response: object({ policy: policyShape }),
  answer: ({ policyId }, { charter }) => ({ policy: policyView(knownPolicy(charter, policyId)) }),
})
