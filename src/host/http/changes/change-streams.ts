import type { ErrorBody } from '../../../trusted/base/failure.ts'
import { errorBody } from '../../../trusted/base/failure.ts'
import type { World } from '../../../trusted/base/world.ts'
import { organizationNotFound } from '../../../trusted/vault/failures.ts'
import type { Timers } from '../../outside/timers.ts'
import type { Host } from '../../pipeline/host.ts'
import { nextTurn } from '../../pipeline/next-turn.ts'
import { partInOutage } from '../../pipeline/part-in-outage.ts'
import type { Asked } from '../../pipeline/signer-of.ts'
import type { Sink } from '../route.ts'
import { eventText, STILL_HERE } from './event-text.ts'
import { readsInTurn } from './reads-in-turn.ts'
import { refusalNow } from './still-authorized.ts'
import { StreamCounts, type StreamOwner } from './stream-counts.ts'
import { type Changes, WatchedOrganization } from './watched-organization.ts'

/** The request for a stream, by an identified user. */
type StreamRequest = {
  readonly owner: StreamOwner
  readonly asked: Asked
  /** The cursor of an interrupted stream; absent: from now on. */
  readonly after?: string
}

export type ChangeStreams = {
  /** @throws Failure `tooManyStreams` */
  readonly open: (request: StreamRequest) => Promise<(sink: Sink) => void>
  /** A unit of this host has been committed. */
  readonly changed: (organizationId: string) => void
  /** Ends every stream. */
  readonly close: () => void
}

/** `isCaughtUp`: it has received the missed changes, and now gets new ones. */
type Listener = StreamRequest & { readonly sink: Sink; isCaughtUp: boolean }
type Watch = {
  readonly watched: WatchedOrganization
  readonly listeners: Set<Listener>
  /** Streams that are being opened, or were open a moment ago. */
  holds: number
  isDue: boolean
  /** When its listeners were last found to be authorized. */
  checkedAt: number
}

/** The interval for checking commits of other hosts. */
const LOOK_MS = 1_000
/** The delay after a commit of this host, so that several commits are sent together. */
const SOON_MS = 50
/** No listener is told anything when it was checked longer ago; idle connections get a comment at this interval too. */
const CHECK_MS = 15_000
/** What is written in one turn leaves at its end: before, it counts as if the reader were behind. */
const TURN_CHARACTERS = 64 * 1024
/** An interrupted stream can be resumed within this time. */
const LINGER_MS = 60_000

/**
 * Streams of what changes. The store is queried once for each watched organization, for any number of watchers, and
 * only where a change is possible: only this process writes the embedded store, and it knows each commit.
 *
 * @param newEpoch  gives a text that is unique over all watchers and processes
 */
export function openChangeStreams(
  host: Pick<Host, 'store' | 'vault' | 'charters' | 'checked'>,
  parts: {
    readonly world: Pick<World, 'now'>
    readonly timers: Timers
    readonly newEpoch: () => string
    readonly onTrouble: (error: unknown) => void
  },
): ChangeStreams {
  const { world, timers, newEpoch, onTrouble } = parts
  const counts = new StreamCounts()
  const watches = new Map<string, Watch>()
  const reads = readsInTurn(host)
  let isClosed = false
  let isRunning = false
  let next: { readonly isSoon: boolean; readonly cancel: () => void } | undefined

  const lookAfter = (ms: number): void => {
    next?.cancel()
    next =
      isClosed || watches.size === 0 ? undefined : { isSoon: ms < LOOK_MS, cancel: timers.after(ms, run) }
  }
  const run = (): void => {
    next = undefined
    if (isRunning) return
    isRunning = true
    void round()
      .catch((error: unknown) => onTrouble(error))
      .then(() => {
        isRunning = false
        lookAfter([...watches.values()].some(({ isDue }) => isDue) ? SOON_MS : LOOK_MS)
      })
  }
  const round = async (): Promise<void> => {
    for (const watch of [...watches.values()]) {
      const { cursor } = watch.watched
      try {
        await lookAt(watch)
      } catch (error) {
        // Outages are reported elsewhere, and streams survive them, unless a change was found and could not be told: a
        // stream that is resumed gets it.
        watch.isDue = true
        if (partInOutage(error) === undefined || watch.watched.cursor !== cursor) endAll(watch, undefined)
        onTrouble(error)
      }
    }
  }
  const lookAt = async (watch: Watch): Promise<void> => {
    const isAsked = watch.isDue || host.store.engine === 'postgres'
    watch.isDue = false
    const changes = isAsked ? await watch.watched.look() : NOTHING
    // Only now: the look may have taken long, or failed the last time.
    const isCheck = isCheckDue(watch)
    // Checked before sending, because the change may have removed the rights of a watcher.
    if (isCheck || mayHaveAmended(changes)) {
      const begun = world.now()
      await check(watch, [...watch.listeners])
      watch.checkedAt = begun
    }
    // A listener that catches up meanwhile is told these changes by that.
    await tell(
      [...watch.listeners].filter(({ isCaughtUp }) => isCaughtUp),
      changes,
      watch.watched.cursor,
    )
    if (isCheck) for (const { sink } of watch.listeners) sink.write(STILL_HERE)
  }
  const isCheckDue = ({ checkedAt }: Watch): boolean => {
    const now = world.now()
    return now - checkedAt >= CHECK_MS || now < checkedAt
  }
  /** Ends those that may not read any more. */
  const check = async ({ watched }: Watch, listeners: readonly Listener[]): Promise<void> => {
    if (listeners.length === 0) return
    const { organizationId } = watched
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
  const catchUp = async (watch: Watch, listener: Listener, from: string): Promise<void> => {
    const { watched } = watch
    let [at, upTo] = [from, watched.cursor]
    do {
      const missed = await watched.since(at)
      // Its stamp was checked before it listened, and no other check has looked at what was amended in between.
      await check(watch, [listener])
      await tell([listener], missed, upTo)
      at = upTo
      upTo = watched.cursor
    } while (at !== upTo)
    listener.isCaughtUp = true
  }
  /** @param upTo  the cursor of a stream that has received all of these changes */
  const tell = async (listeners: readonly Listener[], changes: Changes, upTo: string): Promise<void> => {
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
  const endOne = ({ sink }: Listener, error: ErrorBody | undefined): void => {
    if (error !== undefined) sink.write(eventText('end', error))
    sink.end()
  }
  const endAll = ({ listeners }: Watch, error: ErrorBody | undefined): void => {
    for (const listener of listeners) endOne(listener, error)
  }
  const release = (organizationId: string, watch: Watch): void => {
    watch.holds -= 1
    if (watch.holds === 0 && watches.get(organizationId) === watch) watches.delete(organizationId)
  }
  const watchOf = async (organizationId: string): Promise<Watch> => {
    const known = watches.get(organizationId)
    if (known !== undefined) {
      known.holds += 1
      return known
    }
    const watched = new WatchedOrganization(organizationId, newEpoch(), reads)
    const watch: Watch = { watched, listeners: new Set(), holds: 1, isDue: true, checkedAt: world.now() }
    await watched.begin()
    const other = watches.get(organizationId)
    if (other !== undefined) {
      other.holds += 1
      return other
    }
    watches.set(organizationId, watch)
    return watch
  }

  return {
    open: async (request) => {
      const { organizationId } = request.owner
      const giveBack = counts.take(request.owner)
      try {
        const watch = await watchOf(organizationId)
        const from = request.after ?? watch.watched.cursor
        return (sink) => {
          const listener: Listener = { ...request, sink, isCaughtUp: false }
          watch.listeners.add(listener)
          sink.onClosed(() => {
            watch.listeners.delete(listener)
            giveBack()
            timers.after(LINGER_MS, () => release(organizationId, watch))
          })
          sink.write(eventText('ready', {}, from))
          void catchUp(watch, listener, from).catch((error: unknown) => {
            endOne(listener, undefined)
            onTrouble(error)
          })
          if (isClosed) sink.end()
          if (next === undefined && !isRunning) lookAfter(SOON_MS)
        }
      } catch (error) {
        giveBack()
        throw error
      }
    },
    changed: (organizationId) => {
      const watch = watches.get(organizationId)
      if (watch === undefined) return
      watch.isDue = true
      if (!isRunning && next?.isSoon !== true) lookAfter(SOON_MS)
    },
    close: () => {
      isClosed = true
      next?.cancel()
      for (const watch of watches.values()) endAll(watch, undefined)
      watches.clear()
    },
  }
}

const NOTHING: Changes = { kind: 'changed', changed: [] }

/** Signatures change no organization. */
function mayHaveAmended(changes: Changes): boolean {
  return (
    changes.kind === 'lost' ||
    changes.changed.some(({ told: { type } }) => !type.startsWith('ACTIVITY_TYPE_SIGN_'))
  )
}
