import { daysUntil } from './calendar.ts'

/**
 * An RFC 3339 time with zero offset, in milliseconds since the Unix epoch; undefined for anything else. Leap seconds
 * and fractions finer than a millisecond are refused: nothing could be compared with them.
 */
export function timestampOf(text: string): bigint | undefined {
  const found = TIMESTAMP.exec(text)
  if (found === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number)
  const days = daysUntil(year, month, day)
  if (days === undefined || hour > 23 || minute > 59 || second > 59) return undefined
  const fraction = (found[7] ?? '').padEnd(3, '0')
  if (!/^0*$/.test(fraction.slice(3))) return undefined
  const seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
  return BigInt(seconds * 1_000 + Number(fraction.slice(0, 3)))
}

// RFC 3339, section 5.6; its letters may be small, and -00:00 says that nothing is known of a local time.
const TIMESTAMP =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?(?:[Zz]|[+-]00:00)$/
