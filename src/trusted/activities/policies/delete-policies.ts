import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { list, object, uuid } from '../../catalogue/shape.ts'
import { limits } from '../../charter/limits.ts'
import { policyNotFound, withoutPolicies } from '../../charter/policies.ts'

const subjects = object({ policyIds: list(uuid, { min: 1, max: limits.policies }) })

export const deletePolicies = defineActivity({
  operation: 'delete_policies',
  summary: 'Delete several policies at once',
  forms: form('ACTIVITY_TYPE_DELETE_POLICIES', subjects, { key: 'deletePoliciesResult', shape: subjects }),
  resource: 'POLICY',
  action: 'DELETE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [policyNotFound],
  example: {
    intent: { policyIds: ['0198c5a0-7d3c-7000-8000-000000000001'] },
    result: { policyIds: ['0198c5a0-7d3c-7000-8000-000000000001'] },
  },

  execute({ intent: { policyIds }, charter }) {
    return { result: { policyIds }, charter: withoutPolicies(charter, policyIds) }
  },
})
