/** A day of the Gregorian calendar: month 1 to 12, day 1 to 31, weekday 0 (Sunday) to 6. */
type CalendarDay = {
  readonly month: number
  readonly day: number
  readonly weekday: number
}

/** @param days  since 1970-01-01 */
export function calendarDay(days: number): CalendarDay {
  // Counted from 1 March of a year that begins 400 years, so that the leap day comes last.
  const since = days + DAYS_BEFORE_1970
  const inEra = modulo(since, DAYS_OF_ERA)
  const yearOfEra = Math.floor(
    (inEra - Math.floor(inEra / 1_460) + Math.floor(inEra / 36_524) - Math.floor(inEra / 146_096)) / 365,
  )
  const inYear = inEra - daysBeforeYear(yearOfEra)
  const monthFromMarch = Math.floor((5 * inYear + 2) / 153)
  return {
    month: monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9,
    day: inYear - daysBeforeMonth(monthFromMarch) + 1,
    weekday: modulo(days + THURSDAY, 7),
  }
}

/** Days from 1970-01-01 to a date; undefined when there is no such date. Month 1 to 12, day 1 to 31. */
export function daysUntil(year: number, month: number, day: number): number | undefined {
  const marchYear = month > 2 ? year : year - 1
  const era = Math.floor(marchYear / 400)
  const inYear = daysBeforeMonth(month > 2 ? month - 3 : month + 9) + day - 1
  const days = era * DAYS_OF_ERA + daysBeforeYear(marchYear - era * 400) + inYear - DAYS_BEFORE_1970
  // 30 February, for instance, would be taken for a day of March.
  const found = calendarDay(days)
  return found.month === month && found.day === day ? days : undefined
}

/** From 1 March of the year 0 to 1 January 1970. */
const DAYS_BEFORE_1970 = 719_468
const DAYS_OF_ERA = 146_097
/** The day of the week of 1 January 1970. */
const THURSDAY = 4

function daysBeforeYear(yearOfEra: number): number {
  return yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
}

/** From March: 31, 30, 31, 30, 31, and again. */
function daysBeforeMonth(monthFromMarch: number): number {
  return Math.floor((153 * monthFromMarch + 2) / 5)
}

function modulo(value: number, by: number): number {
  return value - by * Math.floor(value / by)
}
