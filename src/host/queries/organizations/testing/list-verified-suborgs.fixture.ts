import { aCode } from '../../../../../test/behaviour/codes.ts'
import { aSubOrganization } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

/** A user of a sub-organization has proven the address with a code of the parent. */
export const fixture: Fixture = async (setting) => {
  const { service, by, example } = setting
  const sent = await aCode(setting, 'ACTIVITY_TYPE_INIT_OTP_V2')
  const user = await aSubOrganization(service)
  const { otpId, otpCode } = sent
  const { verificationToken } = await service.done(by, 'ACTIVITY_TYPE_VERIFY_OTP', { otpId, otpCode })
  await service.done(user, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', {
    userId: user.userId,
    userEmail: example.filterValue,
    verificationToken,
  })
  return { parameters: example }
}
