import type { World } from '../../trusted/base/world.ts'
import type { Errand, Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import { failureText } from './failure-text.ts'
import type { Outcome, Prepared } from './outcome.ts'
import { nextAttemptAt } from './retry-schedule.ts'
import type { Room } from './room.ts'

/** How an attempt ended: as it came out, or `buried` when it failed for the last time. */
export type Ending = Outcome['kind'] | 'buried'

export type CarryParts = {
  readonly store: Pick<Store, 'finishErrand' | 'postponeErrand' | 'buryErrand'>
  /** Finds out where an errand goes, or that nothing is to be sent. */
  readonly prepare: (errand: Errand) => Promise<Prepared | Outcome>
  readonly world: World
  readonly onEnded: (carried: {
    readonly kind: Errand['kind']
    readonly ending: Ending
    readonly seconds: number
  }) => void
  /** Something that no errand is expected to meet; it is tried again all the same. */
  readonly onBug: (bug: unknown) => void
}

/** Makes one attempt at an errand, when there is room, and writes down what came of it. Never rejects. */
export async function carry(parts: CarryParts, room: Room, errand: Errand): Promise<void> {
  const { store, world, onBug } = parts
  const startedAt = world.now()
  try {
    const outcome = await attempt(parts, room, errand)
    if (outcome !== undefined) {
      const ending = await settle(parts, errand, outcome)
      parts.onEnded({ kind: errand.kind, ending, seconds: (world.now() - startedAt) / 1000 })
    } else if (room.isClosed()) {
      const failure = errand.failure ?? 'not tried yet: the service was stopped'
      await store.postponeErrand(errand.sequence, { dueAt: world.now(), failure })
    }
    // What found no room in time is due again when its lease ends.
  } catch (error) {
    // Without the store nothing can be written down: the lease ends, and the errand is carried again.
    if (!isPassing(error)) onBug(error)
  }
}

/** The store is out of reach for a while, or closed. */
export function isPassing(error: unknown): boolean {
  return error instanceof StoreError
}

async function attempt(
  { prepare, onBug }: CarryParts,
  room: Room,
  errand: Errand,
): Promise<Outcome | undefined> {
  try {
    const prepared = await prepare(errand)
    return prepared.kind === 'ready' ? await room.enter(prepared.place, prepared.attempt) : prepared
  } catch (error) {
    if (isPassing(error)) throw error
    onBug(error)
    return { kind: 'failed', failure: 'a bug of the service, which its log tells more of' }
  }
}

async function settle({ store, world }: CarryParts, errand: Errand, outcome: Outcome): Promise<Ending> {
  const { sequence, attempts } = errand
  if (outcome.kind === 'delivered' || outcome.kind === 'dropped') {
    await store.finishErrand(sequence)
    return outcome.kind
  }
  const { kind } = outcome
  const failure = failureText(outcome.failure)
  const dueAt = kind === 'failed' ? nextAttemptAt(errand, world) : undefined
  if (dueAt !== undefined) {
    await store.postponeErrand(sequence, { dueAt, failure })
    return 'failed'
  }
  const last = kind === 'failed' ? ` (given up after ${attempts + 1} attempts)` : ''
  await store.buryErrand(sequence, { failure: `${failure}${last}` })
  return kind === 'failed' ? 'buried' : 'refused'
}
