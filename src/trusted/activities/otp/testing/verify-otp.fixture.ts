import { aCode, anEncryptedCode, BY_PHONE } from '../../../../../test/behaviour/codes.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const { otpId, encryptedOtpBundle } = await anEncryptedCode(setting)
  const plain = await aCode(setting, 'ACTIVITY_TYPE_INIT_OTP_V2', BY_PHONE)
  return {
    parameters: { otpId, encryptedOtpBundle },
    older: { ACTIVITY_TYPE_VERIFY_OTP: { otpId: plain.otpId, otpCode: plain.otpCode } },
  }
}
