import { calendarDay } from './calendar.ts'

/** A cron expression that was read: which of the possible values each field takes, by value. */
export type Schedule = {
  readonly minutes: readonly boolean[]
  readonly hours: readonly boolean[]
  readonly days: readonly boolean[]
  readonly months: readonly boolean[]
  readonly weekdays: readonly boolean[]
  /** Whether the schedule gives both kinds of day: a match of one is then enough. */
  readonly eitherDay: boolean
}

/**
 * Reads five fields with one space between: minute, hour, day of the month, month, day of the week (0 is Sunday). Each
 * is `*` or a list of numbers and ranges; there are no steps, names or macros. Undefined for anything else.
 */
export function scheduleOf(text: string): Schedule | undefined {
  const fields = text.split(' ')
  const [minutes, hours, days, months, weekdays] = FIELDS.map((field, at) =>
    valuesOf(fields[at] ?? '', field),
  )
  if (fields.length !== FIELDS.length) return undefined
  if (!minutes || !hours || !days || !months || !weekdays) return undefined
  return { minutes, hours, days, months, weekdays, eitherDay: fields[2] !== '*' && fields[4] !== '*' }
}

/**
 * Whether the schedule fires at some minute from `first` to `last`: minutes of a wall clock since 1970-01-01T00:00,
 * both included.
 */
export function firesWithin(schedule: Schedule, first: number, last: number): boolean {
  for (let day = Math.floor(first / DAY); day * DAY <= last; day += 1) {
    if (firesOn(schedule, day) && firesAt(schedule, first - day * DAY, last - day * DAY)) return true
  }
  return false
}

/** Minutes. */
const HOUR = 60
const DAY = 24 * HOUR

type Field = { readonly min: number; readonly max: number }

const FIELDS: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12 },
  { min: 0, max: 6 },
]

function valuesOf(text: string, { min, max }: Field): readonly boolean[] | undefined {
  const values = Array.from({ length: max + 1 }, () => text === '*')
  if (text === '*') return values
  for (const part of text.split(',')) {
    const found = RANGE.exec(part)
    if (found === null) return undefined
    const from = Number(found[1])
    const to = Number(found[2] ?? found[1])
    if (from < min || to > max || from > to) return undefined
    values.fill(true, from, to + 1)
  }
  return values
}

const RANGE = /^([0-9]{1,2})(?:-([0-9]{1,2}))?$/

function firesOn({ days, months, weekdays, eitherDay }: Schedule, day: number): boolean {
  const date = calendarDay(day)
  if (months[date.month] !== true) return false
  const [byDay, byWeekday] = [days[date.day] === true, weekdays[date.weekday] === true]
  return eitherDay ? byDay || byWeekday : byDay && byWeekday
}

/** Of one day, by minutes since its midnight; both may be outside of it. */
function firesAt({ minutes, hours }: Schedule, first: number, last: number): boolean {
  return hours.some(
    (isHour, hour) =>
      isHour &&
      minutes.some((isMinute, minute) => {
        const at = hour * HOUR + minute
        return isMinute && at >= first && at <= last
      }),
  )
}
