import type { Ms } from '../../trusted/base/world.ts'
import { durationMs } from './duration.ts'
import { clockTooFar, invalidClock } from './failures.ts'

/** `real` runs with the machine; `frozen` and a time of ISO 8601 stand still until they are advanced. */
export type ClockSetting = 'real' | 'frozen' | (string & {})

/** The default time of a frozen clock. */
const FROZEN_AT = '2026-01-01T00:00:00.000Z'

/** Ids and texts have no room for a later time. */
export const LATEST: Ms = Date.UTC(9999, 11, 31)

export type EmulatorClock = {
  readonly now: () => Ms
  /** @param duration  such as `'2h'`, or milliseconds; time goes forward only */
  readonly advance: (duration: string | number) => void
  readonly set: (now: Ms) => void
}

/** @throws Failure `invalidClock` */
export function emulatorClock(setting: ClockSetting): EmulatorClock {
  const machine = setting === 'real' ? Date.now : () => 0
  let offset = setting === 'real' ? 0 : instantOf(setting === 'frozen' ? FROZEN_AT : setting)
  const now = (): Ms => machine() + offset
  return {
    now,
    advance: (duration) => {
      const ms = durationMs(duration)
      if (now() + ms > LATEST) throw clockTooFar()
      offset += ms
    },
    set: (at) => {
      offset = at - machine()
    },
  }
}

function instantOf(time: string): Ms {
  const at = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(time)
    ? Date.parse(time)
    : Number.NaN
  if (!Number.isSafeInteger(at) || at < 0 || at > LATEST) throw invalidClock({ clock: time })
  return at
}
