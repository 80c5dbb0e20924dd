import { users } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = (setting) => ({ parameters: { users: users(setting, 60) } })
