/** What the list of activities is narrowed to. */
export type Filter = {
  readonly choice: string
  readonly name: string
  /** As `2026-11-23`, in the zone of this browser; empty for any day. */
  readonly from: string
  readonly until: string
}

const NONE: Filter = { choice: 'all', name: '', from: '', until: '' }
const PLACE = 'claviger.activities'

/** The filter of this tab, until somebody signs out. */
export function keptFilter(): Filter {
  const text = sessionStorage.getItem(PLACE)
  // Only `keepFilter` writes there.
  return text === null ? NONE : (JSON.parse(text) as Filter)
}

export function keepFilter(filter: Filter): void {
  sessionStorage.setItem(PLACE, JSON.stringify(filter))
}

/**
 * The times of these days, from the first instant to the last, as the service takes them: in milliseconds since 1970.
 */
export function timesOf({ from, until }: Pick<Filter, 'from' | 'until'>): object {
  const next = dayOf(until)
  next?.setDate(next.getDate() + 1)
  const times = { createdFrom: dayOf(from), createdBefore: next }
  return Object.fromEntries(
    Object.entries(times).flatMap(([name, day]) =>
      day === undefined || day.getTime() < 0 ? [] : [[name, String(day.getTime())]],
    ),
  )
}

/** Midnight in the zone of this browser; undefined while a day is not written whole. */
function dayOf(text: string): Date | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00`) : undefined
}
