import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, uuid } from '../../catalogue/shape.ts'
import { withPolicy } from '../../charter/policies.ts'
import { checkSteps } from '../../policy/compile-policy.ts'
import { policyFailures } from './policy-failures.ts'
import { newPolicy, policyParams } from './policy-params.ts'

/** The first two versions described a policy with lists of selectors; no published client sends them any more. */
export const createPolicy = defineActivity({
  operation: 'create_policy',
  summary: 'Create a policy',
  forms: form('ACTIVITY_TYPE_CREATE_POLICY_V3', policyParams, {
    key: 'createPolicyResult',
    shape: object({ policyId: uuid }),
  }),
  resource: 'POLICY',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: policyFailures,
  example: {
    intent: {
      policyName: 'Operators sign with the treasury key',
      effect: 'EFFECT_ALLOW',
      condition: "activity.action == 'SIGN' && private_key.label == 'Treasury'",
      consensus: "approvers.any(user, user.tags.contains('0198c5a0-7d3c-7000-8000-0000000000a1'))",
      notes: 'Reviewed every quarter',
    },
    result: { policyId: '0198c5a0-7d3c-7000-8000-000000000001' },
  },
  validate: async (intent, vocabulary, work) => {
    await work.through(checkSteps([intent], vocabulary))
  },

  execute({ intent, charter, now, newId, waitedSince }) {
    const policyId = newId()
    const policy = newPolicy(intent, policyId, now)
    return { result: { policyId }, charter: withPolicy(charter, policy, waitedSince) }
  },
})
