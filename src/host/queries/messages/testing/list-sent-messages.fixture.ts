import { aCode } from '../../../../../test/behaviour/codes.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  await aCode(setting, 'ACTIVITY_TYPE_INIT_OTP_V3')
  return { parameters: setting.example }
}
