import { type Repeated, repeated } from '../outside/repeated.ts'
import type { Timers } from '../outside/timers.ts'
import type { Host } from '../pipeline/host.ts'

/**
 * The time between two writes. A kill loses uses of this time, which are noted again at the next use on the same day.
 */
const WRITE_EVERY_MS = 60_000

/** Writes the uses that this host has noted from time to time, and once more at its end. */
export function startNotingUses(parts: {
  readonly uses: Pick<Host['uses'], 'write'>
  readonly timers: Timers
  readonly onTrouble: (error: unknown) => void
}): Pick<Repeated, 'stop'> {
  const { uses, onTrouble } = parts
  const writing = repeated(parts, { everyMs: WRITE_EVERY_MS }, () => uses.write())
  return {
    stop: async () => {
      await writing.stop()
      await uses.write().catch(onTrouble)
    },
  }
}
