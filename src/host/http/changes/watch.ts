import { type ErrorBody, errorBody } from '../../../trusted/base/failure.ts'
import type { Ms, World } from '../../../trusted/base/world.ts'
import { organizationNotFound } from '../../../trusted/vault/failures.ts'
import type { Host } from '../../pipeline/host.ts'
import { nextTurn } from '../../pipeline/next-turn.ts'
import type { Asked } from '../../pipeline/signer-of.ts'
import type { Sink } from '../route.ts'
import { eventText, STILL_HERE } from './event-text.ts'
import { refusalNow } from './still-authorized.ts'
import type { StreamOwner } from './stream-counts.ts'
import type { Changes, WatchedOrganization } from './watched-organization.ts'

/** The request for a stream, by an identified user. */
export type StreamRequest = {
  readonly owner: StreamOwner
  readonly asked: Asked
  /** The cursor of an interrupted stream; absent: from now on. */
  readonly after?: string
}

/** `isCaughtUp`: it has received the missed changes, and now gets new ones. */
export type Listener = StreamRequest & { readonly sink: Sink; isCaughtUp: boolean }

/** An organization, and the open streams of its changes. */
export type Watch = {
  readonly watched: WatchedOrganization
  readonly listeners: Set<Listener>
  /** Streams that are being opened, or were open a moment ago. */
  holds: number
  isDue: boolean
  /** When its listeners were last found to be authorized. */
  checkedAt: Ms
}

type WatchMeans = {
  readonly host: Pick<Host, 'store' | 'vault' | 'charters' | 'checked'>
  readonly world: Pick<World, 'now'>
}

/** No listener is told anything when it was checked longer ago; idle connections get a comment at this interval too. */
const CHECK_MS = 15_000
/** What is written in one turn leaves at its end: before, it counts as if the reader were behind. */
const TURN_CHARACTERS = 64 * 1024

/** Tells the listeners what has changed since the last look, and ends those that may not read any more. */
export async function lookAt(means: WatchMeans, watch: Watch): Promise<void> {
  const { host, world } = means
  const isAsked = watch.isDue || host.store.engine === 'postgres'
  watch.isDue = false
  const changes = isAsked ? await watch.watched.look() : NOTHING
  // Only now: the look may have taken long, or failed the last time.
  const isCheck = isCheckDue(watch, world.now())
  // Checked before sending, because the change may have removed the rights of a watcher.
  if (isCheck || mayHaveAmended(changes)) {
    const begun = world.now()
    await check(means, watch, [...watch.listeners])
    watch.checkedAt = begun
  }
  // A listener that catches up meanwhile is told these changes by that.
  const upToDate = [...watch.listeners].filter(({ isCaughtUp }) => isCaughtUp)
  await tell(means, upToDate, changes, watch.watched.cursor)
  if (isCheck) for (const { sink } of watch.listeners) sink.write(STILL_HERE)
}

/** Tells a new listener what it has missed since this cursor. */
export async function catchUp(
  means: WatchMeans,
  watch: Watch,
  listener: Listener,
  from: string,
): Promise<void> {
  const { watched } = watch
  let [at, upTo] = [from, watched.cursor]
  do {
    const missed = await watched.since(at)
    // Its stamp was checked before it listened, and no other check has looked at what was amended in between.
    await check(means, watch, [listener])
    await tell(means, [listener], missed, upTo)
    at = upTo
    upTo = watched.cursor
  } while (at !== upTo)
  listener.isCaughtUp = true
}

/** @param error  what it is told of the end */
export function endOne({ sink }: Listener, error: ErrorBody | undefined): void {
  if (error !== undefined) sink.write(eventText('end', error))
  sink.end()
}

export function endAll({ listeners }: Watch): void {
  for (const listener of listeners) endOne(listener, undefined)
}

const NOTHING: Changes = { kind: 'changed', changed: [] }

function isCheckDue({ checkedAt }: Watch, now: Ms): boolean {
  return now - checkedAt >= CHECK_MS || now < checkedAt
}

/** Signatures change no organization. */
function mayHaveAmended(changes: Changes): boolean {
  return (
    changes.kind === 'lost' ||
    changes.changed.some(({ told: { type } }) => !type.startsWith('ACTIVITY_TYPE_SIGN_'))
  )
}

/** Ends those that may not read any more. */
async function check(
  { host }: WatchMeans,
  { watched: { organizationId } }: Watch,
  listeners: readonly Listener[],
): Promise<void> {
  if (listeners.length === 0) return
  const charter = await host.checked.get(organizationId)
  if (typeof charter?.parentId === 'string') await host.charters.get(charter.parentId, true)
  const isGone = charter === undefined || charter.deleted
  for (const listener of listeners) {
    const refusal = isGone
      ? errorBody(organizationNotFound({ organizationId }))
      : await refusalNow(host, listener.asked, organizationId)
    if (refusal !== undefined) endOne(listener, refusal)
  }
}

/** @param upTo  the cursor of a stream that has received all of these changes */
async function tell(
  { world }: WatchMeans,
  listeners: readonly Listener[],
  changes: Changes,
  upTo: string,
): Promise<void> {
  if (listeners.length === 0) return
  if (changes.kind === 'lost') {
    for (const { sink } of listeners) sink.write(eventText('reset', {}, upTo))
    return
  }
  // Each has a cursor of its own, because a stream can break between two of them.
  let written = 0
  for (const { told, cursor } of changes.changed) {
    if (written > TURN_CHARACTERS) {
      await nextTurn()
      written = 0
    }
    const { summary } = told
    for (const { sink, owner } of listeners) {
      const text = eventText('activity', summary({ userId: owner.userId, now: world.now() }), cursor)
      sink.write(text)
      written += text.length
    }
  }
}
