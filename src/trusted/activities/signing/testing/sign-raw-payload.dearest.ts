import { aWallet } from '../../../../../test/behaviour/things.ts'
import { typedData } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = async (setting) => {
  const { address } = await aWallet(setting)
  const { payloads, ...how } = typedData(address)
  return { parameters: { ...how, payload: payloads[0] } }
}
