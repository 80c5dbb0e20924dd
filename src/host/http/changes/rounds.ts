import type { Ms } from '../../../trusted/base/world.ts'
import type { Timers } from '../../outside/timers.ts'

/** Rounds over what is watched, one at a time, and none while nothing is. */
type Rounds = {
  /** Begins with them, unless one is under way or waited for. */
  readonly begin: () => void
  /** There is something to tell: if none is under way, the next round is soon. */
  readonly hurry: () => void
  readonly close: () => void
}

/** The interval for checking commits of other hosts. */
const LOOK_MS = 1_000
/** The delay after a commit of this host, so that several commits are sent together. */
const SOON_MS = 50

/**
 * @param parts.round  a look at everything that is watched
 * @param parts.next   the reason for another round
 */
export function openRounds(parts: {
  readonly timers: Timers
  readonly onTrouble: (error: unknown) => void
  readonly round: () => Promise<void>
  readonly next: () => 'due' | 'watched' | 'none'
}): Rounds {
  let isClosed = false
  let isRunning = false
  let waiting: { readonly isSoon: boolean; readonly cancel: () => void } | undefined

  const runAfter = (ms: Ms): void => {
    waiting?.cancel()
    waiting =
      isClosed || parts.next() === 'none'
        ? undefined
        : { isSoon: ms < LOOK_MS, cancel: parts.timers.after(ms, () => void run()) }
  }
  const run = async (): Promise<void> => {
    waiting = undefined
    if (isRunning) return
    isRunning = true
    try {
      await parts.round()
    } catch (error) {
      parts.onTrouble(error)
    }
    isRunning = false
    runAfter(parts.next() === 'due' ? SOON_MS : LOOK_MS)
  }
  return {
    begin: () => {
      if (waiting === undefined && !isRunning) runAfter(SOON_MS)
    },
    hurry: () => {
      if (!isRunning && waiting?.isSoon !== true) runAfter(SOON_MS)
    },
    close: () => {
      isClosed = true
      waiting?.cancel()
    },
  }
}
