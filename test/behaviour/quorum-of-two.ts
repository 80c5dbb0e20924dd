import type { Member } from '../support/service.ts'
import type { Ground } from './ground.ts'
import { anotherUser } from './things.ts'

/** Raises the root quorum of the organization to two, and answers the second root user. */
export async function quorumOfTwo(ground: Ground): Promise<Member> {
  const { service, by } = ground
  const second = await anotherUser(ground, 'Second')
  const userIds = [by.userId, second.userId]
  await service.done(by, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  service.world.advance(1)
  return second
}
