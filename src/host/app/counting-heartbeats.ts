import type { World } from '../../trusted/base/world.ts'
import { type Repeated, repeated } from '../outside/repeated.ts'
import type { Timers } from '../outside/timers.ts'
import { Heartbeats } from '../pipeline/heartbeats.ts'
import type { Host } from '../pipeline/host.ts'

/** An hour of an attempt may take longer by up to this time. */
const LOOK_MS = 60_000

/** Counts the hours of recoveries under way, as long as this host runs. */
export function startCountingHeartbeats(parts: {
  readonly host: Host
  readonly world: Pick<World, 'elapsed'>
  readonly timers: Timers
  readonly onTrouble: (error: unknown) => void
}): Repeated {
  const { host, world, onTrouble } = parts
  const heartbeats = new Heartbeats({ ...host, elapsed: world.elapsed, onTrouble })
  return repeated(parts, { everyMs: LOOK_MS }, async () => {
    for (const organizationId of await heartbeats.look()) host.onCommitted(organizationId)
  })
}
