import { users } from '../../../../../test/cost/many.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = (setting) => ({ parameters: { users: users(setting, 60) } })
