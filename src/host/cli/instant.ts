import { UsageError } from './usage.ts'

/** A time without a zone would differ between machines. */
export function instant(text: string, what: string): number {
  const at = Date.parse(text)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(at))
    throw new UsageError(`${what} is a time such as 2026-01-31T12:00:00Z, not ${text}`)
  return at
}
