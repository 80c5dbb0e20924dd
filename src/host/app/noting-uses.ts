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
}): { readonly stop: () => Promise<void> } {
  const { uses, timers, onTrouble } = parts
  let isStopped = false
  let cancel = (): void => {}
  let underWay = Promise.resolve()
  const write = async (): Promise<void> => {
    await uses.write().catch(onTrouble)
    if (!isStopped) writeLater()
  }
  const writeLater = (): void => {
    cancel = timers.after(WRITE_EVERY_MS, () => {
      underWay = write()
    })
  }
  writeLater()
  return {
    stop: async () => {
      isStopped = true
      cancel()
      await underWay
      await write()
    },
  }
}
