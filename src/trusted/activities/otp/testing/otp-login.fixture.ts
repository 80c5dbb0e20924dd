import { aProvenContact } from '../../../../../test/behaviour/codes.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const parameters = await aProvenContact(setting)
  return { parameters, older: { ACTIVITY_TYPE_OTP_LOGIN: parameters } }
}
