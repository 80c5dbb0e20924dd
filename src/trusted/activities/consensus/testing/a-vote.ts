import { anotherUser } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

/** An activity that waits for a second vote, and the user whose vote it waits for. */
export const aVote: Fixture = async (setting) => {
  const { service, by } = setting
  const second = await anotherUser(setting)
  const userIds = [by.userId, second.userId]
  await service.done(by, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  const waiting = await service.submit(by, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'Waits',
    userIds: [],
  })
  return { by: second, parameters: { fingerprint: waiting.json.activity.fingerprint } }
}
