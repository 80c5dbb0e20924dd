import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { list, object, uuid } from '../../catalogue/shape.ts'
import { limits } from '../../charter/limits.ts'
import { withPolicies } from '../../charter/policies.ts'
import { checkSteps } from '../../policy/compile-policy.ts'
import { policyFailures } from './policy-failures.ts'
import { newPolicy, policyParams } from './policy-params.ts'

export const createPolicies = defineActivity({
  operation: 'create_policies',
  summary: 'Create several policies at once',
  forms: form(
    'ACTIVITY_TYPE_CREATE_POLICIES',
    object({ policies: list(policyParams, { min: 1, max: limits.policies }) }),
    { key: 'createPoliciesResult', shape: object({ policyIds: list(uuid, { max: limits.policies }) }) },
  ),
  resource: 'POLICY',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: policyFailures,
  example: {
    intent: {
      policies: [
        {
          policyName: 'Anyone may sign',
          effect: 'EFFECT_ALLOW',
          condition: "activity.action == 'SIGN'",
          notes: '',
        },
        {
          policyName: 'Nobody exports',
          effect: 'EFFECT_DENY',
          condition: "activity.action == 'EXPORT'",
          notes: 'Does not bind the root quorum',
        },
      ],
    },
    result: {
      policyIds: ['0198c5a0-7d3c-7000-8000-000000000001', '0198c5a0-7d3c-7000-8000-000000000002'],
    },
  },
  validate: async ({ policies }, vocabulary, work) => {
    await work.through(checkSteps(policies, vocabulary))
  },

  async execute({ intent, charter, now, newId, waitedSince, work }) {
    const added = intent.policies.map((params) => newPolicy(params, newId(), now))
    return {
      result: { policyIds: added.map(({ policyId }) => policyId) },
      charter: await work.through(withPolicies(charter, added, waitedSince)),
    }
  },
})
