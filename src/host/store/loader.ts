import type { Scan } from './scan.ts'
import type { Table, TableRows } from './tables.ts'

/** Puts rows into an empty store. They become visible only when the whole work has succeeded. */
export type Loader = {
  readonly put: <T extends Table>(table: T, rows: readonly TableRows[T][]) => Promise<void>
  /** All later jobs have numbers above this one. */
  readonly setLastJob: (sequence: number) => Promise<void>
  /** Reads the rows that were put. */
  readonly scan: Scan
}

/** The tables that may have rows in a store without organizations: a service may have been started on it. */
export const IN_EMPTY_STORES: ReadonlySet<Table> = new Set(['notes'])
