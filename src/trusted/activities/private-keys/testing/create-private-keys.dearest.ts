import { privateKeys } from '../../../../../test/cost/many.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = () => ({ parameters: { privateKeys: privateKeys(100) } })
