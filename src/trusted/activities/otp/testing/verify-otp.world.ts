import { anEncryptedCode } from '../../../../../test/behaviour/codes.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => {
  const { otpId, otpCode, encryptedOtpBundle } = await anEncryptedCode(setting)
  return {
    parameters: { otpId, encryptedOtpBundle },
    older: { ACTIVITY_TYPE_VERIFY_OTP: { otpId, otpCode } },
  }
}
