import type { Ms } from '../../trusted/base/world.ts'
import type { Store } from '../store/store.ts'
import type { Timers } from '../outside/timers.ts'

const EVERY_MS = 60_000
const AT_ONCE_MAX = 1_000
/** The pause between two sweeps while there is more to remove, so that requests come first. */
const NEXT_MS = 200

/** Removes expired rows from time to time, a few at a time. */
export function startSweeping(parts: {
  readonly store: Pick<Store, 'sweep'>
  readonly now: () => Ms
  readonly timers: Timers
  readonly onTrouble: (error: unknown) => void
}): { readonly stop: () => Promise<void> } {
  const { store, now, timers, onTrouble } = parts
  let isStopped = false
  let cancel = (): void => {}
  let underWay: Promise<void> | undefined

  const sweep = async (): Promise<void> => {
    let swept = 0
    try {
      swept = await store.sweep({ now: now(), limit: AT_ONCE_MAX })
    } catch (error) {
      onTrouble(error)
    }
    underWay = undefined
    sweepAfter(swept < AT_ONCE_MAX ? EVERY_MS : NEXT_MS)
  }
  const sweepAfter = (ms: number): void => {
    if (isStopped) return
    cancel = timers.after(ms, () => {
      underWay = sweep()
    })
  }
  sweepAfter(EVERY_MS)
  return {
    stop: async () => {
      isStopped = true
      cancel()
      await underWay
    },
  }
}
