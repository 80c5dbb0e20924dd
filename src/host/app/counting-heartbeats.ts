import type { World } from '../../trusted/base/world.ts'
import type { Timers } from '../outside/timers.ts'
import { Heartbeats } from '../pipeline/heartbeats.ts'
import type { Host } from '../pipeline/host.ts'

/** An hour of an attempt may take longer by up to this time. */
const LOOK_MS = 60_000

/** Counts the hours of recoveries under way, as long as this host runs. */
export function startCountingHeartbeats({
  host,
  world,
  timers,
  onTrouble,
}: {
  readonly host: Host
  readonly world: Pick<World, 'elapsed'>
  readonly timers: Timers
  readonly onTrouble: (error: unknown) => void
}): { readonly stop: () => Promise<void> } {
  const heartbeats = new Heartbeats({ ...host, elapsed: world.elapsed, onTrouble })
  let isStopped = false
  let cancel = (): void => {}
  let underWay = Promise.resolve()
  const look = async (): Promise<void> => {
    try {
      for (const organizationId of await heartbeats.look()) host.onCommitted(organizationId)
    } catch (error) {
      onTrouble(error)
    }
    if (!isStopped) lookLater()
  }
  const lookLater = (): void => {
    cancel = timers.after(LOOK_MS, () => {
      underWay = look()
    })
  }
  lookLater()
  return {
    stop: async () => {
      isStopped = true
      cancel()
      await underWay
    },
  }
}
