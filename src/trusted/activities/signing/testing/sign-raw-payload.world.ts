import { aPrivateKey } from '../../../../../test/behaviour/things.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => {
  const { privateKeyId, addresses } = await aPrivateKey(setting)
  const { signWith: _, ...how } = setting.example
  return {
    parameters: { ...how, signWith: addresses[0].address },
    older: { ACTIVITY_TYPE_SIGN_RAW_PAYLOAD: { ...how, privateKeyId } },
  }
}
