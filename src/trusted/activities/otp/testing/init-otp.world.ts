import { withContacts } from '../../../../../test/behaviour/codes.ts'
import type { World } from '../../../../../test/behaviour/world.ts'
import { without } from '../../../../../test/behaviour/older-fields.ts'

export const world: World = async (setting) => {
  await withContacts(setting)
  return {
    parameters: setting.example,
    older: {
      ACTIVITY_TYPE_INIT_OTP: without('appName')(setting.example),
      ACTIVITY_TYPE_INIT_OTP_V2: setting.example,
    },
  }
}
