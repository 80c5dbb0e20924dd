import { assert } from '../../trusted/base/assert.ts'
import { FairQueue } from '../../trusted/base/fair-queue.ts'
import type { Share } from '../../trusted/base/fair-turns.ts'
import { StoreError } from './store-error.ts'

/**
 * Writes a batch as one commit and returns one result per unit, in their order; throws if the results are unknown. The
 * result of a unit that was refused alone is a rejected promise.
 */
type WriteBatch<Unit, Result> = (
  units: readonly Unit[],
) => readonly Result[] | Promise<readonly (Result | Promise<Result>)[]>

type GroupCommit<Unit, Result> = {
  /** @param share  the owner of the unit, and its number of rows; by default the service itself */
  readonly commit: (unit: Unit, share?: Share) => Promise<Result>
  /** All so far, including failed ones. */
  readonly tried: () => CommitCounts
  /** Accepts no more units, and resolves when the accepted ones are settled. */
  readonly close: () => Promise<void>
}

export type CommitCounts = { readonly batches: number; readonly units: number }

/**
 * Natural batching: all units that arrive during a commit share the next one, and one commit runs at a time. There is
 * no time window. An idle store writes at the end of the turn of the event loop in which a unit arrived, so the units
 * of all requests of that turn share a commit, and a lone unit loses no time. If more units wait than one commit takes,
 * those come first whose flow has been served least: no flow waits for all units that another flow has queued before.
 */
export function groupCommit<Unit, Result>(
  write: WriteBatch<Unit, Result>,
  { costMax = 256 }: { readonly costMax?: number } = {},
): GroupCommit<Unit, Result> {
  const waiting = new FairQueue<Ticket<Unit, Result>>()
  let busy = false
  let closed = false
  let whenIdle: (() => void) | undefined
  const tried = { batches: 0, units: 0 }

  const commit = (unit: Unit, share: Share = OWN): Promise<Result> => {
    if (closed) return Promise.reject(new StoreError('closed', 'the store is closed'))
    return new Promise((resolve, reject) => {
      waiting.push(share.flow, { unit, share, resolve, reject })
      wake()
    })
  }

  // The check phase comes directly after the phase that reads sockets: by then every request of this turn has arrived.
  const wake = (): void => {
    if (busy) return
    busy = true
    setImmediate(flush)
  }

  const flush = (): void => {
    const batch = nextBatch(waiting, costMax)
    tried.batches += 1
    tried.units += batch.length
    try {
      const results = write(batch.map((ticket) => ticket.unit))
      if (!(results instanceof Promise)) settle(batch, results)
      else results.then((answers) => settle(batch, answers)).catch((error: unknown) => fail(batch, error))
    } catch (error) {
      fail(batch, error)
    }
  }

  const settle = (
    batch: readonly Ticket<Unit, Result>[],
    results: readonly (Result | Promise<Result>)[],
  ): void => {
    assert(results.length === batch.length, 'a batch has one result per unit')
    results.forEach((result, at) => batch[at]?.resolve(result))
    rest()
  }

  const fail = (batch: readonly Ticket<Unit, Result>[], error: unknown): void => {
    for (const ticket of batch) ticket.reject(error)
    rest()
  }

  const rest = (): void => {
    busy = false
    if (!waiting.isEmpty) return wake()
    waiting.beginAnew()
    whenIdle?.()
  }

  const close = (): Promise<void> => {
    closed = true
    if (!busy) return Promise.resolve()
    return new Promise((resolve) => {
      const others = whenIdle
      whenIdle = () => {
        others?.()
        resolve()
      }
    })
  }

  return { commit, tried: () => ({ ...tried }), close }
}

/** Units of the service itself, such as taking deliveries. */
const OWN: Share = { flow: '', cost: 1 }

/** As much as one commit takes, and at least one unit. */
function nextBatch<T extends { readonly share: Share }>(
  waiting: FairQueue<T>,
  costMax: number,
): readonly T[] {
  const batch: T[] = []
  let left = costMax
  for (let next = waiting.peek(); next !== undefined; next = waiting.peek()) {
    const { flow, cost } = next.share
    if (cost > left && batch.length > 0) break
    waiting.shift()
    waiting.charge(flow, cost)
    batch.push(next)
    left -= cost
  }
  return batch
}

type Ticket<Unit, Result> = {
  readonly unit: Unit
  readonly share: Share
  readonly resolve: (result: Result | Promise<Result>) => void
  readonly reject: (error: unknown) => void
}
