import { proposedPolicies } from '../../../../../test/cost/dear-inputs.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = () => ({
  parameters: {
    policies: proposedPolicies(62).map((proposedPolicy) => ({ ...proposedPolicy, notes: '' })),
  },
})
