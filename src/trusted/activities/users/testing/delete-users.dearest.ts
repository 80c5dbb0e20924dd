import { manyUsers } from '../../../../../test/cost/many.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = async (setting) => ({ parameters: { userIds: await manyUsers(setting) } })
