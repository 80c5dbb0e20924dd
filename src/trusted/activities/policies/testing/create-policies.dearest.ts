import { proposedPolicies } from '../../../../../test/cost/dear-inputs.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = () => ({
  parameters: {
    policies: proposedPolicies(62).map((proposedPolicy) => ({ ...proposedPolicy, notes: '' })),
  },
})
