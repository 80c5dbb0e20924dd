import { UsageError } from './usage.ts'

/** A time without a zone would differ between machines. A 30 February is no other day. */
export function instant(text: string, what: string): number {
  const at = Date.parse(text)
  const day = Date.parse(`${text.slice(0, 10)}T00:00Z`)
  const isOfCalendar = !Number.isNaN(day) && new Date(day).toISOString().startsWith(text.slice(0, 10))
  if (
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text) ||
    Number.isNaN(at) ||
    !isOfCalendar
  )
    throw new UsageError(`${what} is a time such as 2026-01-31T12:00:00Z, not ${text}`)
  return at
}
