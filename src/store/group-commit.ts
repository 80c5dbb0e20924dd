import { assert } from '../base/assert.ts'
import { StoreError } from './store-error.ts'

/** Writes a batch as one commit and answers one result per unit, in their order; throws when nothing can be said of any of them. */
export type WriteBatch<Unit, Result> = (
  units: readonly Unit[],
) => readonly Result[] | Promise<readonly Result[]>

export type GroupCommit<Unit, Result> = {
  readonly commit: (unit: Unit) => Promise<Result>
  /** Takes no more units and resolves when those taken are settled. */
  readonly close: () => Promise<void>
}

/**
 * Natural batching: whatever arrives while a commit is under way shares the next one, one commit at a time.
 * There is no window to wait for: an idle store writes at the end of the very turn of the event loop in which a unit
 * came, so the units of all requests read in that turn go together, and a lone one loses nothing.
 */
export function groupCommit<Unit, Result>(
  write: WriteBatch<Unit, Result>,
  { unitsMax = 256 }: { readonly unitsMax?: number } = {},
): GroupCommit<Unit, Result> {
  let waiting: Ticket<Unit, Result>[] = []
  let busy = false
  let closed = false
  let whenIdle: (() => void) | undefined

  const commit = (unit: Unit): Promise<Result> => {
    if (closed) return Promise.reject(new StoreError('closed', 'the store is closed'))
    return new Promise((resolve, reject) => {
      waiting.push({ unit, resolve, reject })
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
    const batch = waiting.length <= unitsMax ? waiting : waiting.slice(0, unitsMax)
    waiting = batch === waiting ? [] : waiting.slice(unitsMax)
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
    if (waiting.length > 0) wake()
    else whenIdle?.()
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

  return { commit, close }
}

type Ticket<Unit, Result> = {
  readonly unit: Unit
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}
