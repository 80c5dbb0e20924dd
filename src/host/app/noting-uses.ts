import type { Timers } from '../outside/timers.ts'
import type { Host } from '../pipeline/host.ts'

/** What is lost where a host is killed: whoever comes back on the same day is noted then. */
const WRITE_EVERY_MS = 60_000

/** Writes now and then what this host has noted of uses, and once more when it ends. */
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
