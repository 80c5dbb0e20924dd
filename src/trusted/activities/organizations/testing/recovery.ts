import { present } from '../../../base/assert.ts'
import { Commits } from '../../../../host/pipeline/commits.ts'
import { Heartbeats } from '../../../../host/pipeline/heartbeats.ts'
import type { JsonAnswer, Member, TestService } from '../../../../../test/support/service.ts'

export const SET = 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE'
export const REMOVE = 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE'
export const RECOVERY = 'FEATURE_NAME_ORGANIZATION_RECOVERY'
export const ATTEMPT = 'FEATURE_NAME_ORGANIZATION_RECOVERY_ATTEMPT'
export const HOUR = 60 * 60 * 1000

/** The people of a set with their shares put together, before the root quorum has made the set known. */
export function aSet(service: TestService, organizationId = service.organizationId) {
  const key = service.newKey()
  const member: Member = { organizationId, userId: '', key }
  const value = JSON.stringify({ publicKey: key.publicKey, threshold: 2, shares: 3, delayHours: 72 })
  return { member, parameters: { name: RECOVERY, value } }
}

/** Somebody who is to become a root user. */
export function aComer(service: TestService, userName = 'Hedy', organizationId = service.organizationId) {
  const key = service.newKey()
  return {
    user: { userName, publicKey: key.publicKey },
    member: { organizationId, userId: '', key } satisfies Member,
  }
}

export function begin(...users: readonly { readonly userName: string; readonly publicKey: string }[]) {
  return { name: ATTEMPT, value: JSON.stringify({ users }) }
}

export function complete(attemptId: string) {
  return { name: ATTEMPT, value: JSON.stringify({ complete: attemptId }) }
}

/** The attempt as any member reads it. */
export async function attemptOf(service: TestService, by: Member): Promise<JsonAnswer> {
  const { json } = await service.query(by, 'get_organization_configs')
  const features: readonly { name: string; value: string }[] = json.configs.serviceFeatures ?? []
  const found = features.find(({ name }) => name === ATTEMPT)
  return found === undefined ? undefined : JSON.parse(found.value)
}

/** The heartbeats of a service, as its host has them counted. */
export function heartbeatsOf(
  { store, vault, world }: Pick<TestService, 'store' | 'vault' | 'world'>,
  onTrouble: (error: unknown) => void = (error) => {
    throw error
  },
) {
  const commits = new Commits({ store, vault })
  return new Heartbeats({ store, vault, commits, elapsed: world.elapsed, onTrouble })
}

/** Has so many hours pass, with somebody who looks in each. */
export async function passHours(
  service: TestService,
  hours: number,
  heartbeats = heartbeatsOf(service),
): Promise<void> {
  await heartbeats.look()
  for (let hour = 0; hour < hours; hour++) {
    service.world.advance(HOUR)
    await heartbeats.look()
    // The newest heartbeat is shown.
    await heartbeats.look()
  }
}

/** An organization whose root quorum has made a set, and an attempt of its people under way. */
export async function underWay(service: TestService) {
  const set = aSet(service)
  await service.done(service.root, SET, set.parameters)
  const comer = aComer(service)
  await service.done(set.member, SET, begin(comer.user))
  const { attemptId } = present(await attemptOf(service, service.root), 'an attempt')
  return { set, comer, attemptId: String(attemptId) }
}
