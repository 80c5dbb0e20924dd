import { longCondition, manyPolicies } from '../../../../../test/cost/many.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = async (setting) => {
  const [policyId] = await manyPolicies(setting)
  return { parameters: { policyId, policyCondition: longCondition(), policyConsensus: 'true' } }
}
