import { aPrivateKey } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const { privateKeyId, addresses } = await aPrivateKey(setting)
  const { signWith: _, ...how } = setting.example
  return {
    parameters: { ...how, signWith: addresses[0].address },
    older: { ACTIVITY_TYPE_SIGN_TRANSACTION: { ...how, privateKeyId } },
  }
}
