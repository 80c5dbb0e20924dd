import type { Scan } from './scan.ts'
import type { Table, TableRows } from './tables.ts'

/** Puts rows into a store that has none. Nothing of it is there before the whole work has ended well. */
export type Loader = {
  readonly put: <T extends Table>(table: T, rows: readonly TableRows[T][]) => Promise<void>
  /** No job after this has a number up to this one. */
  readonly setLastJob: (sequence: number) => Promise<void>
  /** Reads what was put. */
  readonly scan: Scan
}

/** The tables in which a store without organizations may have rows: a service may have been started on it. */
export const IN_EMPTY_STORES: ReadonlySet<Table> = new Set(['notes'])
