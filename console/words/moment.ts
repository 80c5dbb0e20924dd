import { language } from './language.ts'

/** A day and a time, in the zone of this browser. */
export function moment(ms: number): string {
  return Number.isFinite(ms) && Math.abs(ms) < DATE_MS_MAX
    ? // Some browsers write a narrow space before "AM", which no other text on a page may have.
      new Date(ms)
        .toLocaleString(language(), { dateStyle: 'medium', timeStyle: 'medium' })
        .replace(/\s/g, ' ')
    : String(ms)
}

/** A bound of `Date` (ECMA-262, 21.4.1.1). */
const DATE_MS_MAX = 8.64e15
