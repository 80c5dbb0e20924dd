import { aProvenContact } from '../../../../../test/behaviour/codes.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => {
  const parameters = await aProvenContact(setting)
  return { parameters, older: { ACTIVITY_TYPE_OTP_LOGIN: parameters } }
}
