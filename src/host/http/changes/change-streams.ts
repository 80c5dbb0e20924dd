import type { World } from '../../../trusted/base/world.ts'
import type { Timers } from '../../outside/timers.ts'
import type { Host } from '../../pipeline/host.ts'
import { partInOutage } from '../../pipeline/part-in-outage.ts'
import type { Sink } from '../route.ts'
import { eventText } from './event-text.ts'
import { readsInTurn } from './reads-in-turn.ts'
import { openRounds } from './rounds.ts'
import { StreamCounts } from './stream-counts.ts'
import { catchUp, endAll, endOne, type Listener, lookAt, type StreamRequest, type Watch } from './watch.ts'
import { Watches } from './watches.ts'

export type ChangeStreams = {
  /** @throws Failure `tooManyStreams` */
  readonly open: (request: StreamRequest) => Promise<(sink: Sink) => void>
  /** A unit of this host has been committed. */
  readonly changed: (organizationId: string) => void
  /** Ends every stream. */
  readonly close: () => void
}

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
  const means = { host, world }
  const counts = new StreamCounts()
  const watches = new Watches(readsInTurn(host), newEpoch, world.now)
  let isClosed = false

  const lookSafely = async (watch: Watch): Promise<void> => {
    const { cursor } = watch.watched
    try {
      await lookAt(means, watch)
    } catch (error) {
      // Outages are reported elsewhere, and streams survive them, unless a change was found and could not be told: a
      // stream that is resumed gets it.
      watch.isDue = true
      if (partInOutage(error) === undefined || watch.watched.cursor !== cursor) endAll(watch)
      onTrouble(error)
    }
  }
  const rounds = openRounds({
    timers,
    onTrouble,
    round: async () => {
      for (const watch of watches.all()) await lookSafely(watch)
    },
    next: () => watches.next(),
  })
  const listen = (watch: Watch, listener: Listener, from: string, closed: () => void): void => {
    const { sink } = listener
    watch.listeners.add(listener)
    sink.onClosed(() => {
      watch.listeners.delete(listener)
      closed()
    })
    sink.write(eventText('ready', {}, from))
    void catchUp(means, watch, listener, from).catch((error: unknown) => {
      endOne(listener, undefined)
      onTrouble(error)
    })
    if (isClosed) sink.end()
    rounds.begin()
  }

  return {
    open: async (request) => {
      const { organizationId } = request.owner
      const giveBack = counts.take(request.owner)
      try {
        const watch = await watches.hold(organizationId)
        const from = request.after ?? watch.watched.cursor
        return (sink) =>
          listen(watch, { ...request, sink, isCaughtUp: false }, from, () => {
            giveBack()
            timers.after(LINGER_MS, () => watches.release(organizationId, watch))
          })
      } catch (error) {
        giveBack()
        throw error
      }
    },
    changed: (organizationId) => {
      const watch = watches.get(organizationId)
      if (watch === undefined) return
      watch.isDue = true
      rounds.hurry()
    },
    close: () => {
      isClosed = true
      rounds.close()
      for (const watch of watches.all()) endAll(watch)
      watches.clear()
    },
  }
}
