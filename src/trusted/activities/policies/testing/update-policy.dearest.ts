import { longCondition, manyPolicies } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = async (setting) => {
  const [policyId] = await manyPolicies(setting)
  return { parameters: { policyId, policyCondition: longCondition(), policyConsensus: 'true' } }
}
