export const MINUTE_MS = 60_000
export const DAY_MS = 24 * 60 * MINUTE_MS

/**
 * Milliseconds of `[Nd][Nh][Nm]`, such as `1d12h`; undefined for anything else, for none at all and for more than
 * `maxMs`.
 */
export function durationOf(text: string, maxMs: number): number | undefined {
  const found = DURATION.exec(text)
  if (found === null) return undefined
  const [days = 0, hours = 0, minutes = 0] = found.slice(1).map((number) => Number(number ?? 0))
  const ms = ((days * 24 + hours) * 60 + minutes) * MINUTE_MS
  return ms > 0 && ms <= maxMs ? ms : undefined
}

const DURATION = /^(?:([0-9]{1,9})d)?(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m)?$/
