import { aWallet } from '../../../../../test/behaviour/things.ts'
import { typedData } from '../../../../../test/cost/many.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = async (setting) => ({ parameters: typedData((await aWallet(setting)).address) })
