import type { Timers } from '../outside/timers.ts'
import type { Part } from '../pipeline/part-in-outage.ts'
import type { Checks } from './readiness.ts'
import type { Log } from './log.ts'

type Outages = {
  /** Reports that a request, or a delivery, met a part that does not work. */
  readonly met: (part: Part, error: unknown) => void
  readonly isOut: (part: Part) => boolean
}

/**
 * The interval of the checks whether an outage is over, and the number of successful checks in a row without a further
 * error that end it.
 */
const LOOK_EVERY_MS = 1_000
const QUIET_LOOKS = 3

type Outage = { readonly since: number; faults: number; quietLooks: number }

/**
 * Faults of the environment: the log gets one line for each outage and one for its end, regardless of the number of
 * requests that meet it.
 */
export function outages(parts: {
  readonly log: Log
  readonly now: () => number
  readonly timers: Timers
  readonly checks: Checks
}): Outages {
  const { log, now, timers, checks } = parts
  const open = new Map<Part, Outage>()
  const look = async (part: Part, outage: Outage): Promise<void> => {
    const works = await checks[part]()
    outage.quietLooks = works ? outage.quietLooks + 1 : 0
    if (outage.quietLooks < QUIET_LOOKS) return lookLater(part, outage)
    open.delete(part)
    const seconds = Math.round((now() - outage.since) / 1000)
    log('info', 'outage over', { of: part, seconds, faults: outage.faults })
  }
  const lookLater = (part: Part, outage: Outage): void => {
    timers.after(LOOK_EVERY_MS, () => void look(part, outage))
  }
  return {
    met: (part, error) => {
      const known = open.get(part)
      if (known !== undefined) {
        known.faults++
        known.quietLooks = 0
        return
      }
      const outage = { since: now(), faults: 1, quietLooks: 0 }
      open.set(part, outage)
      log('error', 'outage', { of: part, detail: error instanceof Error ? error.message : String(error) })
      lookLater(part, outage)
    },
    isOut: (part) => open.has(part),
  }
}
