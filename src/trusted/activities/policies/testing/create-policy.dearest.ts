import { longCondition } from '../../../../../test/cost/many.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = ({ example }) => ({ parameters: { ...example, condition: longCondition() } })
