import { aWallet } from '../../../../../test/behaviour/things.ts'
import { typedData } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = async (setting) => ({
  parameters: typedData((await aWallet(setting)).address),
})
