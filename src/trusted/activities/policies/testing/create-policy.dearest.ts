import { longCondition } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = ({ example }) => ({ parameters: { ...example, condition: longCondition() } })
