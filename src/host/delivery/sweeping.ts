import type { Ms } from '../../trusted/base/world.ts'
import type { Store } from '../store/store.ts'
import { type Repeated, repeated } from '../outside/repeated.ts'
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
}): Repeated {
  const { store, now } = parts
  return repeated(parts, { everyMs: EVERY_MS }, async (again) => {
    const swept = await store.sweep({ now: now(), limit: AT_ONCE_MAX })
    if (swept === AT_ONCE_MAX) again(NEXT_MS)
  })
}
