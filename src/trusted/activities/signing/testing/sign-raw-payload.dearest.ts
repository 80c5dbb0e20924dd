import { aWallet } from '../../../../../test/behaviour/things.ts'
import { typedData } from '../../../../../test/cost/many.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = async (setting) => {
  const { address } = await aWallet(setting)
  const { payloads, ...how } = typedData(address)
  return { parameters: { ...how, payload: payloads[0] } }
}
