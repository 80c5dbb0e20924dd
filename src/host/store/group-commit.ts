import { assert } from '../../trusted/base/assert.ts'
import { FairQueue } from '../../trusted/base/fair-queue.ts'
import type { Share } from '../../trusted/base/fair-turns.ts'
import { StoreError } from './store-error.ts'

/**
 * Writes a batch as one commit and answers one result per unit, in their order; throws when nothing can be said of any
 * of them.
 */
type WriteBatch<Unit, Result> = (units: readonly Unit[]) => readonly Result[] | Promise<readonly Result[]>

type GroupCommit<Unit, Result> = {
  /** @param share  whose unit it is, and how many rows it writes; one of the service's own unless told */
  readonly commit: (unit: Unit, share?: Share) => Promise<Result>
  /** So far, those that failed among them. */
  readonly tried: () => CommitCounts
  /** Takes no more units and resolves when those taken are settled. */
  readonly close: () => Promise<void>
}

export type CommitCounts = { readonly batches: number; readonly units: number }

/**
 * Natural batching: whatever arrives while a commit is under way shares the next one, one commit at a time.
 * There is no window to wait for: an idle store writes at the end of the very turn of the event loop in which a unit
 * came, so the units of all requests read in that turn go together, and a lone one loses nothing.
 * When more waits than one commit takes, those go first whose flow has been given least: nobody waits for all that
 * somebody else has put in before.
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

  // The check phase comes right after the one that reads sockets: by then every request of this turn is here.
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

  const settle = (batch: readonly Ticket<Unit, Result>[], results: readonly Result[]): void => {
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

/** What the service does for itself, such as taking up deliveries. */
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
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}
