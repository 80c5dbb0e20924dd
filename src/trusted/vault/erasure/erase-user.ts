import { costs } from '../../base/costs.ts'
import type { Ms } from '../../base/world.ts'
import type { Work } from '../../base/work.ts'
import type { ActivityRow } from '../../catalogue/unit.ts'
import { type Charter, userOf } from '../../charter/charter.ts'
import type { EraseUserRequest, UserErased } from '../../../protocol/vault.ts'
import { recordWithoutUser } from './erased-record.ts'
import { type Handles, handlesOfUsers } from './handles.ts'
import { type ErasedPerson, handlesSaidOf } from './personal-parts.ts'
import { isWaiting } from '../decision/record.ts'
import { seeCharter } from '../charters/see-charter.ts'
import { AGE_MAX_MS, AHEAD_MAX_MS } from '../memory/request-age.ts'
import { checkPresentRecord } from './present-record.ts'
import { costOfRecord } from '../seals/row-costs.ts'
import { checkActivity } from '../seals/seals.ts'
import type { VaultContext } from '../vault-context.ts'

type Means = Pick<VaultContext, 'keyring' | 'memory' | 'types' | 'world'>

/**
 * Removes the personal data of a deleted user from records. The record of the deletion, and a charter of the same time
 * or later without the user, prove that the user was deleted: ids are never reused.
 *
 * Only data about that user is removed. A request that names no user id concerns the user by a contact, in the user's
 * own organization and in its parent. It must be a contact that requests which were carried out contain under the
 * user's id, and no current user of these organizations may have it.
 *
 * @throws Tampered, Older
 */
export async function eraseUser(means: Means, request: EraseUserRequest, work: Work): Promise<UserErased> {
  const { userId, deletion } = request
  const now = means.world.now()
  const charter = seeCharter(means, request.charter, now)
  if (userOf(charter, userId) !== undefined) return { kind: 'member' }
  checkActivity(means.keyring, deletion)
  if (!isDeletion(means, deletion, charter, userId)) return { kind: 'unproven' }
  // Until then requests of the user may be repeated, and must be answered.
  const until = deletion.updatedAt + AGE_MAX_MS + AHEAD_MAX_MS
  if (now < until) return { kind: 'live', until }
  const handlesIn = await handlesByOrganization(means, request, charter, work)
  const erased: (ActivityRow | null)[] = []
  for (const row of request.activities) {
    await work.step(costs.row + costOfRecord(row))
    const person = { userId, handles: handlesIn.get(row.organizationId) ?? NO_HANDLES }
    erased.push(ofRecord(means, row, person, now))
  }
  return { kind: 'erased', activities: erased }
}

/** A charter of before the deletion may be one of before the user came, too. */
function isDeletion(
  { types }: Pick<Means, 'types'>,
  { type, status, organizationId, result, updatedAt }: ActivityRow,
  charter: Charter,
  userId: string,
): boolean {
  const isOfOrganization =
    organizationId === charter.organizationId &&
    status === 'ACTIVITY_STATUS_COMPLETED' &&
    types.get(type)?.activity.operation === 'delete_users'
  if (!isOfOrganization || result === null || charter.updatedAt < updatedAt) return false
  // The vault writes it in this shape only.
  const [deleted] = Object.values(JSON.parse(result) as { readonly [key: string]: Deleted })
  return deleted?.userIds.includes(userId) === true
}

type Deleted = { readonly userIds: readonly string[] }

/** The handles that identify the user in the organization and in its parent. */
async function handlesByOrganization(
  means: Means,
  { userId, sayings, shared, parent: parentRow }: EraseUserRequest,
  charter: Charter,
  work: Work,
): Promise<ReadonlyMap<string, Handles>> {
  const said: string[] = []
  for (const row of sayings) {
    await work.step(costOfRecord(row))
    checkActivity(means.keyring, row)
    said.push(...handlesSaidOf(row, userId, means.types))
  }
  const parent = parentRow && seeCharter(means, parentRow, means.world.now())
  // The users of sub-organizations log in with requests of a top-level organization.
  const own = handlesLeft(said, charter, charter.parentId === null ? shared : [])
  return new Map([
    [charter.organizationId, own],
    ...(parent !== undefined && parent.organizationId === charter.parentId
      ? [[parent.organizationId, handlesLeft(own, parent, shared)] as const]
      : []),
  ])
}

/** Without the handles of current users, and those shared with others: data that names one of these may be theirs. */
export function handlesLeft(
  said: Iterable<string>,
  charter: Pick<Charter, 'users'>,
  shared: readonly string[] = [],
): Handles {
  const taken = handlesOfUsers(charter)
  return new Set([...said].filter((handle) => !taken.has(handle) && !shared.includes(handle)))
}

const NO_HANDLES: Handles = new Set()

function ofRecord(means: Means, row: ActivityRow, person: ErasedPerson, now: Ms): ActivityRow | null {
  checkPresentRecord(means, row, now)
  return isOver(row, now) ? recordWithoutUser(means, row, person, now) : null
}

/** Whether no more votes are possible, and a repeated request no longer gets its old answer. */
export function isOver({ status, timestampMs }: ActivityRow, now: Ms): boolean {
  return !isWaiting(status) && now >= timestampMs + AGE_MAX_MS
}
