import { aWallet } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const { address } = await aWallet(setting)
  return { parameters: { ...setting.example, signWith: address } }
}
