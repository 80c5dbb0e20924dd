import { anotherUser, aPolicy } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

/** An activity that was refused, as nothing allows it. */
export const fixture: Fixture = async (setting) => {
  await aPolicy(setting)
  const asker = await anotherUser(setting)
  const parameters = { userTagName: 'Refused', userIds: [] }
  setting.service.world.advance(1)
  await setting.service.submit(asker, 'ACTIVITY_TYPE_CREATE_USER_TAG', parameters)
  const { json } = await setting.service.query(asker, 'list_activities')
  return { parameters: { activityId: json.activities[0].id } }
}
