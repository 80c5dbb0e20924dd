import { anActivity } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

/** The root user has to prove their API key, which the stamp of the activity does. */
export const fixture: Fixture = async (setting) => {
  const { service, by } = setting
  await service.done(by, 'ACTIVITY_TYPE_CREATE_MFA_POLICY', {
    userId: by.userId,
    mfaPolicyName: 'About tags',
    condition: "activity.kind == 'CREATE_USER_TAG'",
    requiredAuthenticationMethods: [{ any: [{ type: 'AUTHENTICATION_TYPE_API_KEY' }] }],
    order: 1,
  })
  return { parameters: { activityId: await anActivity(setting), userId: by.userId } }
}
