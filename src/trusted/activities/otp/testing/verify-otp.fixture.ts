import { anEncryptedCode } from '../../../../../test/behaviour/codes.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const { otpId, otpCode, encryptedOtpBundle } = await anEncryptedCode(setting)
  return {
    parameters: { otpId, encryptedOtpBundle },
    older: { ACTIVITY_TYPE_VERIFY_OTP: { otpId, otpCode } },
  }
}
