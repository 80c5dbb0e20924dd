import type { Ms } from '../../../trusted/base/world.ts'
import type { Timers } from '../timers.ts'

/** Timers that go off when a test has moved its clock and says so. */
type TurnedTimers = Timers & {
  /** Runs what is due by now, in order. */
  readonly turn: () => void
}

/** No time is ever over: for what must not end because the machine is busy. */
export const endlessTimers: Timers = { after: () => () => {} }

// For what never comes: a busy machine may take long.
const HANGS_AFTER_MS = 120_000

export function turnedTimers(now: () => Ms): TurnedTimers {
  const set = new Set<{ readonly at: Ms; readonly run: () => void }>()
  return {
    after: (ms, run) => {
      const timer = { at: now() + ms, run }
      set.add(timer)
      return () => set.delete(timer)
    },
    turn: () => {
      const due = [...set].filter(({ at }) => at <= now()).sort((a, b) => a.at - b.at)
      for (const timer of due) if (set.delete(timer)) timer.run()
    },
  }
}

/**
 * Lets everything go on that needs no timer of ours, until it is so; the network is waited for in turns of the event
 * loop.
 */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + HANGS_AFTER_MS
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`it did not come to this: ${what}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
