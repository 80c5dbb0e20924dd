import type { Organization } from './organization.ts'

/** A test of one row of the table: an organization of its own, and what has to come true in it. */
export type Row = {
  /** 1 to 70. */
  readonly row: number
  readonly promise: string
  readonly show: (o: Organization) => Promise<void>
}

export function shown(row: number, promise: string, show: Row['show']): Row {
  return { row, promise, show }
}
