import { manyPolicies } from '../../../../../test/cost/many.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = async (setting) => ({ parameters: { policyIds: await manyPolicies(setting) } })
