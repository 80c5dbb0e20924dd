import { DAY_MS, MINUTE_MS } from './duration.ts'

/**
 * A part of a day in which the clocks of a zone stay as they are. In minutes; `from` is UTC, since 1970-01-01T00:00.
 */
type ZonePart = {
  readonly from: number
  /**
   * The minutes by which the clocks are ahead of UTC. Offsets of other than whole minutes, which ended in 1972, are
   * cut.
   */
  readonly offset: number
  /** The minutes by which the clocks were put forward when the part began. */
  readonly skipped: number
}

/**
 * Parts of the UTC day that begins so many days after 1970-01-01, in their order; undefined when no zone has the name.
 */
export type Zone = (day: number) => readonly ZonePart[] | undefined

/** Whether the runtime's copy of the IANA database has a zone of this name. */
export function isZone(name: string): boolean {
  return clockOf(name) !== undefined
}

/**
 * The clocks of a zone. Recent days are remembered: the formatter that finds them costs a hundred microseconds to make
 * and too much memory to keep.
 */
export function zoneOf(name: string): Zone {
  const known = new Map<number, readonly ZonePart[]>()
  return (day) => {
    const found = known.get(day)
    if (found !== undefined) return found
    const clock = clockOf(name)
    if (clock === undefined) return undefined
    if (known.size >= DAYS_KEPT) known.clear()
    // A window may look at several days before, and they come from the same clock.
    for (let at = day; at > day - DAYS_OF_WINDOW; at -= 1) known.set(at, partsOf(clock, at))
    return known.get(day)
  }
}

const DAYS_KEPT = 32
/** Seven, cut at both ends, and one more in UTC. */
const DAYS_OF_WINDOW = 9

/** Minutes that the clocks are ahead of UTC, at a minute of UTC. */
type Clock = (minute: number) => number

function clockOf(name: string): Clock | undefined {
  // The runtime also takes offsets such as +01:00 for zones.
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' })
    return (minute) => offsetOf(format.format(minute * MINUTE_MS))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The offset in a date that ends with `GMT+05:45`; `GMT` alone is no offset. */
function offsetOf(text: string): number {
  const [, sign, hours = '0', minutes = '0', seconds] =
    /GMT([+-])([0-9]{2}):([0-9]{2})(:[0-9]{2})?$/.exec(text) ?? []
  const offset = Number(hours) * 60 + Number(minutes)
  if (sign !== '-') return offset
  return -offset - (seconds === undefined ? 0 : 1)
}

/** Clocks are taken to change at most once a day, or at its start as well. */
function partsOf(clock: Clock, day: number): readonly ZonePart[] {
  const start = day * DAY
  const offset = clock(start)
  const first = { from: start, offset, skipped: Math.max(0, offset - clock(start - 1)) }
  const last = clock(start + DAY - 1)
  if (last === offset) return [first]
  let [before, change] = [start, start + DAY - 1]
  while (change - before > 1) {
    const middle = Math.floor((before + change) / 2)
    if (clock(middle) === offset) before = middle
    else change = middle
  }
  return [first, { from: change, offset: last, skipped: Math.max(0, last - offset) }]
}

const DAY = DAY_MS / MINUTE_MS
