import type { Ms, World } from '../../trusted/base/world.ts'
import type { Store } from '../store/store.ts'

/** The clock by which jobs are due, leased, sent and given up. */
type SharedClock = {
  readonly now: () => Ms
  /** Reads the clock of the database, unless it was read a moment ago. */
  readonly renew: () => Promise<void>
}

const READ_EVERY_MS = 1_000

/**
 * The clock of the database where several hosts share one, else that of this machine. By its own clock, a host that is
 * a day ahead would take jobs that another host is carrying out, postpone them by a day for the others, and give up
 * each job that fails once.
 */
export function sharedClock({ clock }: Pick<Store, 'clock'>, { now, elapsed }: World): SharedClock {
  if (clock === undefined) return { now, renew: async () => {} }
  let read: { readonly at: Ms; readonly elapsed: Ms } | undefined
  return {
    // The store takes whole milliseconds only.
    now: () => (read === undefined ? now() : read.at + Math.floor(elapsed() - read.elapsed)),
    renew: async () => {
      if (read !== undefined && elapsed() - read.elapsed < READ_EVERY_MS) return
      read = { at: await clock(), elapsed: elapsed() }
    },
  }
}
