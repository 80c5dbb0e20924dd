import { withContacts } from '../../../../../test/behaviour/codes.ts'
import type { World } from '../../../../../test/behaviour/world.ts'
import { without } from '../../../../../test/behaviour/older-fields.ts'

export const world: World = async (setting) => {
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
