import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, uuid } from '../../catalogue/shape.ts'
import { policyNotFound, withoutPolicies } from '../../charter/policies.ts'

const subject = object({ policyId: uuid })

/** Waiting activities are decided by the policies at the time of each vote. */
export const deletePolicy = defineActivity({
  operation: 'delete_policy',
  summary: 'Delete a policy',
  forms: form('ACTIVITY_TYPE_DELETE_POLICY', subject, { key: 'deletePolicyResult', shape: subject }),
  resource: 'POLICY',
  action: 'DELETE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [policyNotFound],
  example: {
    intent: { policyId: '0198c5a0-7d3c-7000-8000-000000000001' },
    result: { policyId: '0198c5a0-7d3c-7000-8000-000000000001' },
  },

  execute({ intent: { policyId }, charter }) {
    return { result: { policyId }, charter: withoutPolicies(charter, [policyId]) }
  },
})
