import { withContacts } from '../../../../../test/behaviour/codes.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'
import { without } from '../../../../../test/behaviour/older-fields.ts'

export const fixture: Fixture = async (setting) => {
  await withContacts(setting)
  return {
    parameters: setting.example,
    older: {
      ACTIVITY_TYPE_INIT_OTP: without('appName')(setting.example),
      ACTIVITY_TYPE_INIT_OTP_V2: setting.example,
    },
  }
}
