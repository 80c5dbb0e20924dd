import { aCode } from '../../../../../test/behaviour/codes.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => {
  await aCode(setting, 'ACTIVITY_TYPE_INIT_OTP_V3')
  return { parameters: setting.example }
}
