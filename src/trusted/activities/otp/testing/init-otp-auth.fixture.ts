import { withContacts } from '../../../../../test/behaviour/codes.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'
import { without } from '../../../../../test/behaviour/older-fields.ts'

export const fixture: Fixture = async (setting) => {
  await withContacts(setting)
  const v2 = without('appName')(setting.example)
  return {
    parameters: setting.example,
    older: {
      ACTIVITY_TYPE_INIT_OTP_AUTH: without('otpLength')(without('alphanumeric')(v2)),
      ACTIVITY_TYPE_INIT_OTP_AUTH_V2: v2,
    },
  }
}
