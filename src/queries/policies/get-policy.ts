import { defineQuery } from '../../catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../catalogue/shape.ts'
import { knownPolicy } from '../../charter/policies.ts'
import { policyView } from '../../charter/view.ts'
import { policyShape } from '../shapes.ts'

export const getPolicy = defineQuery({
  operation: 'get_policy',
  summary: 'Show a policy',
  request: object({ organizationId: organizationIdText, policyId: uuid }),
  response: object({ policy: policyShape }),
  answer: ({ policyId }, { charter }) => ({ policy: policyView(knownPolicy(charter, policyId)) }),
})
