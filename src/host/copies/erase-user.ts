import { isDeepStrictEqual } from 'node:util'
import { activities as allActivities } from '../../trusted/activities/list.ts'
import type { Ms } from '../../trusted/base/world.ts'
import { activitiesByType } from '../../trusted/catalogue/submission.ts'
import { type ActivityRow, emptyUnit } from '../../trusted/catalogue/unit.ts'
import { userOf } from '../../trusted/charter/charter.ts'
import { readCharter } from '../../trusted/charter/charter-document.ts'
import { handlesLeft, isOver } from '../../trusted/vault/erasure/erase-user.ts'
import { type Handles, handlesIn } from '../../trusted/vault/erasure/handles.ts'
import { handlesSaidOf, withoutPerson } from '../../trusted/vault/erasure/personal-parts.ts'
import { isWaiting } from '../../trusted/vault/decision/record.ts'
import { votesOf } from '../../trusted/vault/records/votes.ts'
import type { EraseUserRequest, UserErased, Vault } from '../../protocol/vault.ts'
import { digestOf } from '../store/record-texts.ts'
import type { Store, TextKey } from '../store/store.ts'
import { activityPages } from '../store/activity-pages.ts'
import { CopyError } from './copy-error.ts'
import { eraseMessages, messagesTo } from './messages-to.ts'
import { rowsOf } from './rows-of.ts'
import { sharedHandles } from './shared-handles.ts'

type Means = {
  readonly store: Pick<
    Store,
    'charter' | 'activities' | 'scan' | 'find' | 'commit' | 'finishJob' | 'eraseSnapshots'
  >
  readonly vault: Pick<Vault, 'eraseUser' | 'openJob'>
  readonly now: () => Ms
  /** Called after each page of rows. */
  readonly paused: (rows: number) => Promise<void>
}

/** The rows that this run has erased; an earlier run may have begun. */
export type ErasedOfUser = {
  readonly activities: number
  /** Dead messages, and entries in lists of sent messages. */
  readonly messages: number
  /** Shared snapshots of the user in records. */
  readonly snapshots: number
  /** Ids of activities whose requests are still live: a later run erases them. */
  readonly live: readonly string[]
  /** The number of the user's contacts that another user has now: requests that name only these were left. */
  readonly shared: number
  /** Ids of open invitations with a contact of the user. */
  readonly invitations: readonly string[]
}

/**
 * Erases the data about a user, deleted from an existing organization, in the records of the whole store. The records
 * that tell the vault the user's contacts come last, so the next run can continue after a kill. They stay as long as a
 * request with such a contact is live.
 *
 * @throws CopyError if the user is not deleted, was deleted just now, or is named by a waiting activity
 */
export async function eraseUser(
  means: Means,
  of: { readonly organizationId: string; readonly userId: string },
): Promise<ErasedOfUser> {
  const began = means.now()
  const by = await proofOf(means, of)
  const found = { ...(await lookedAt(means, by)), began }
  const messages = await eraseMessages(means, await messagesTo(means, found.handles))
  const { activities, live, named } = await eraseRecords(means, by, found)
  const snapshots = await eraseSnapshots(means, of.userId, named)
  return {
    activities,
    messages,
    snapshots,
    live,
    shared: found.taken,
    invitations: found.invitations,
  }
}

async function eraseSnapshots(
  { store, paused }: Pick<Means, 'store' | 'paused'>,
  userId: string,
  named: readonly string[],
): Promise<number> {
  let snapshots = 0
  let after: TextKey | undefined
  do {
    const page = { limit: TEXTS_AT_ONCE, ...(after === undefined ? {} : { after }) }
    const { erased, last } = await store.eraseSnapshots(userId, named, page)
    snapshots += erased
    after = last
    await paused(erased)
  } while (after !== undefined)
  return snapshots
}

const TEXTS_AT_ONCE = 500

/** The rows that the vault is shown with every page, as they stood when the command began. */
type ProofOfDeletion = Pick<EraseUserRequest, 'userId' | 'charter' | 'deletion' | 'parent'>

async function proofOf(
  means: Means,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
): Promise<ProofOfDeletion> {
  const { store } = means
  const charters = await chartersOf(store, organizationId)
  if (userOf(readCharter(charters.charter.body), userId) !== undefined)
    throw member({ organizationId, userId })
  const deletion = await deletionOf(store, organizationId, userId)
  if (deletion === undefined) throw unproven({ organizationId, userId })
  const by = { userId, deletion, ...charters }
  await asked(means, by, { sayings: [], shared: [], activities: [] })
  return by
}

/** The present charters of the organization and of its parent. */
async function chartersOf(
  store: Pick<Store, 'charter'>,
  organizationId: string,
): Promise<Pick<ProofOfDeletion, 'charter' | 'parent'>> {
  const charter = await store.charter(organizationId)
  if (charter === undefined) throw new CopyError(`there is no organization ${organizationId}`)
  const { parentId } = readCharter(charter.body)
  const parent = parentId === null ? undefined : await store.charter(parentId)
  return { charter, ...(parent === undefined ? {} : { parent }) }
}

async function deletionOf(
  store: Pick<Store, 'activities'>,
  organizationId: string,
  userId: string,
): Promise<ActivityRow | undefined> {
  const filter = { types: DELETIONS, statuses: ['ACTIVITY_STATUS_COMPLETED'] } as const
  for await (const page of activityPages(store, organizationId, filter)) {
    const row = page.find(({ result }) => result?.includes(userId) === true)
    if (row !== undefined) return row
  }
  return undefined
}

const types = activitiesByType(allActivities)
const DELETIONS = [...types]
  .filter(([, { activity }]) => activity.operation === 'delete_users')
  .map(([type]) => type)

async function asked(
  means: Pick<Means, 'vault' | 'store'>,
  by: ProofOfDeletion,
  rows: Pick<EraseUserRequest, 'sayings' | 'shared' | 'activities'>,
): Promise<readonly (ActivityRow | null)[]> {
  const { userId, charter } = by
  const { organizationId } = charter
  const answer = await answered(means, by, rows)
  if (answer.kind === 'member') throw member({ organizationId, userId })
  if (answer.kind === 'unproven') throw unproven({ organizationId, userId })
  if (answer.kind === 'live')
    throw new CopyError(
      `user ${userId} was deleted just now, and their last requests may still be repeated: wait until ${new Date(answer.until).toISOString()}`,
    )
  return answer.activities
}

/** The organizations are amended while the command works, and a vault that serves them takes no charter of before. */
async function answered(
  { vault, store }: Pick<Means, 'vault' | 'store'>,
  by: ProofOfDeletion,
  rows: Pick<EraseUserRequest, 'sayings' | 'shared' | 'activities'>,
): Promise<UserErased> {
  const present = async () => await chartersOf(store, by.charter.organizationId)
  for (let tried = 1; ; tried++) {
    const charters = await present()
    try {
      return await vault.eraseUser({ ...by, ...charters, ...rows })
    } catch (error) {
      if (tried === TRIES_MAX || isDeepStrictEqual(charters, await present())) throw error
    }
  }
}

const TRIES_MAX = 20

type OfUser = { readonly organizationId: string; readonly userId: string }

function member({ organizationId, userId }: OfUser): CopyError {
  return new CopyError(
    `user ${userId} is a user of organization ${organizationId}: only what was deleted can be erased`,
  )
}

function unproven({ organizationId, userId }: OfUser): CopyError {
  return new CopyError(
    `no activity in the data says that user ${userId} was deleted from organization ${organizationId}: it was never the id of one of its users, or the activity is archived`,
  )
}

type Found = {
  readonly sayings: readonly ActivityRow[]
  /** The texts that identify the user, in the organization and in its parent. */
  readonly handles: ReadonlyMap<string, Handles>
  readonly shared: readonly string[]
  /** The number of them that another user has. */
  readonly taken: number
  readonly invitations: readonly string[]
}

/** All contacts of the user, each with a record that contains it; checks that no waiting activity names the user. */
async function lookedAt(means: Means, by: ProofOfDeletion): Promise<Found> {
  const { store, paused } = means
  const { userId, charter: row, parent } = by
  const charter = readCharter(row.body)
  const sayings = new Map<string, ActivityRow>()
  const waiting: ActivityRow[] = []
  for await (const page of rowsOf(store, 'activities')) {
    for (const activity of page) {
      if (isWaiting(activity.status)) waiting.push(activity)
      if (!isNamed(activity, userId)) continue
      for (const handle of handlesSaidOf(activity, userId, types))
        if (!sayings.has(handle)) sayings.set(handle, activity)
    }
    await paused(page.length)
  }
  const found = handlesLeft(sayings.keys(), charter)
  const shared = await sharedHandles(means, row, parent ?? row, found)
  const own = parent === undefined ? handlesLeft(found, charter, shared) : found
  const handles = new Map([
    [row.organizationId, own],
    ...(parent === undefined
      ? []
      : [[parent.organizationId, handlesLeft(own, readCharter(parent.body), shared)] as const]),
  ])
  const stopping = waiting.filter((activity) => withoutUser(activity, userId, handles) !== undefined)
  if (stopping.length > 0) throw await waitsFor(store, stopping)
  const invitations = charter.invitations.filter((invitation) =>
    handlesIn({ ...invitation, receiverUserTags: [] }).some((handle) => own.has(handle)),
  )
  return {
    sayings: [...new Set(sayings.values())],
    handles,
    shared,
    taken: sayings.size - found.size + shared.length,
    invitations: invitations.map(({ invitationId }) => invitationId),
  }
}

/** Nobody can vote in a deleted organization any more: what waits there goes with its records. */
async function waitsFor(store: Pick<Store, 'charter'>, stopping: readonly ActivityRow[]): Promise<CopyError> {
  const deleted: string[] = []
  for (const organizationId of new Set(stopping.map((row) => row.organizationId))) {
    const row = await store.charter(organizationId)
    if (row !== undefined && readCharter(row.body).deleted) deleted.push(organizationId)
  }
  const commands = deleted.map((organizationId) => `claviger organization erase ${organizationId}`)
  return new CopyError(
    [
      `${stopping.length} activities that name the user wait for votes: have them approved or rejected, and then erase: ${stopping.map(({ activityId }) => activityId).join(', ')}`,
      ...(commands.length === 0
        ? []
        : [`nobody votes in a deleted organization any more, so erase these before: ${commands.join(', ')}`]),
    ].join('; '),
  )
}

/** Whether the record may contain such a text: most records are about others. */
function isNamed(row: ActivityRow, userId: string): boolean {
  const { intent, result, votes } = row
  return (
    [intent, result ?? '', votes].some((text) => text.includes(userId)) || result?.includes('.eyJ') === true
  )
}

function withoutUser(row: ActivityRow, userId: string, handles: ReadonlyMap<string, Handles>) {
  const own = handles.get(row.organizationId)
  // Otherwise anyone could name the id in a waiting activity of their own organization, and so block the erasure.
  if (own === undefined && !isVotedOnBy(row, userId)) return undefined
  if (!isNamed(row, userId) && (own === undefined || types.get(row.type)?.activity.personal === undefined))
    return undefined
  return withoutPerson(row, { userId, handles: own ?? new Set() }, types)
}

function isVotedOnBy({ votes }: ActivityRow, userId: string): boolean {
  return votes.includes(userId) && votesOf(votes).some((vote) => vote.userId === userId)
}

/**
 * @param began  the time of the command. A user who has come to have one of the handles since then is in no record of
 *               a request that was dead at that time
 */
async function eraseRecords(
  means: Means,
  by: ProofOfDeletion,
  { sayings, handles, shared, began }: Found & { readonly began: Ms },
): Promise<{
  readonly activities: number
  readonly live: readonly string[]
  /** The digests of the user's snapshots that records still name. */
  readonly named: readonly string[]
}> {
  const { store, paused } = means
  const live: string[] = []
  const named = new Set<string>()
  const name = (row: ActivityRow): void => {
    for (const { userId, user } of votesOf(row.votes))
      if (userId === by.userId) named.add(digestOf(JSON.stringify(user)))
  }
  let activities = 0
  const last = new Set(sayings.map(keyOf))
  const needed = new Set<ActivityRow>()
  const need = (row: ActivityRow): void => {
    for (const saying of sayings)
      if (!needed.has(saying) && isKnownBy(row, saying, by.userId, handles)) needed.add(saying)
  }
  const eraseAll = async (rows: readonly ActivityRow[]): Promise<void> => {
    if (rows.length === 0) return
    const erased = await asked(means, by, { sayings, shared, activities: rows })
    const changed = erased.filter((row) => row !== null)
    await Promise.all(changed.map((row) => committed(store, row)))
    rows.map((row, at) => erased[at] ?? row).forEach(name)
    activities += changed.length
  }
  for await (const page of rowsOf(store, 'activities')) {
    const about = page.filter((row) => withoutUser(row, by.userId, handles) !== undefined)
    page.filter((row) => row.votes.includes(by.userId) && !about.includes(row)).forEach(name)
    // A later run erases them, and the snapshots that they name until then.
    const stay = about.filter((row) => !isOver(row, began))
    stay.forEach(name)
    stay.forEach(need)
    live.push(...stay.map(({ activityId }) => activityId))
    await eraseAll(about.filter((row) => isOver(row, began) && !last.has(keyOf(row))))
    await paused(page.length)
  }
  needed.forEach(name)
  await eraseAll(sayings.filter((row) => !needed.has(row)))
  return { activities, live, named: [...named] }
}

/**
 * Whether a record is about the user by a contact that this saying contains: without it, no later run would see that.
 */
function isKnownBy(
  row: ActivityRow,
  saying: ActivityRow,
  userId: string,
  handles: ReadonlyMap<string, Handles>,
): boolean {
  const { organizationId } = row
  const own = handles.get(organizationId) ?? new Set()
  const said = new Set(handlesSaidOf(saying, userId, types).filter((handle) => own.has(handle)))
  const partsBy = (known: Handles): number =>
    withoutUser(row, userId, new Map([[organizationId, known]]))?.parts.length ?? 0
  return said.size > 0 && partsBy(said) > partsBy(new Set())
}

function keyOf({ organizationId, activityId }: Pick<ActivityRow, 'organizationId' | 'activityId'>): string {
  return `${organizationId} ${activityId}`
}

/** Only another run of this command writes to a settled activity. */
async function committed(store: Pick<Store, 'commit'>, row: ActivityRow): Promise<void> {
  const result = await store.commit({
    ...emptyUnit,
    activity: { row, replaces: row.revision - 1, audience: [] },
  })
  if (result.kind === 'conflict')
    throw new CopyError(
      `activity ${row.activityId} was changed in the meantime by another run of this command: repeat the command`,
    )
}
