import type { Ms } from '../../trusted/base/world.ts'
import type { Timers } from './timers.ts'

/** Work that is done again and again, never twice at once. */
export type Repeated = {
  /** Does it soon; once more, where it is under way. Cheap, however often it is called. */
  readonly wake: () => void
  /** Resolves when the work under way has ended; it is not done again. */
  readonly stop: () => Promise<void>
}

/**
 * Repeats work as long as this host runs. Work that fails is tried again after the usual time.
 *
 * @param times.firstMs  the time before the first turn, that of every other one unless given
 * @param times.everyMs  the time from the end of a turn to the next one
 * @param times.soonMs   the longest time that a wake takes, so that several of them lead to one turn
 * @param work           calls `again` if the next turn has another time
 */
export function repeated(
  { timers, onTrouble }: { readonly timers: Timers; readonly onTrouble: (error: unknown) => void },
  {
    everyMs,
    firstMs = everyMs,
    soonMs = 0,
  }: { readonly everyMs: Ms; readonly firstMs?: Ms; readonly soonMs?: Ms },
  work: (again: (ms: Ms) => void) => Promise<void>,
): Repeated {
  let isStopped = false
  let isWoken = false
  let isSoon = false
  let cancel = (): void => {}
  let underWay: Promise<void> | undefined

  const turn = async (): Promise<void> => {
    let restMs = everyMs
    isWoken = false
    try {
      await work((ms) => {
        restMs = ms
      })
    } catch (error) {
      onTrouble(error)
    }
    underWay = undefined
    turnAfter(isWoken ? soonMs : restMs)
  }
  const turnAfter = (ms: Ms): void => {
    if (isStopped) return
    isSoon = ms <= soonMs
    cancel = timers.after(ms, () => {
      underWay = turn()
    })
  }
  turnAfter(firstMs)
  return {
    wake: () => {
      isWoken = true
      if (underWay !== undefined || isSoon) return
      cancel()
      turnAfter(soonMs)
    },
    stop: async () => {
      isStopped = true
      cancel()
      await underWay
    },
  }
}
