import { assert } from '../../trusted/base/assert.ts'
import { isText } from './check-unit.ts'
import { type ScanKey, shapeOf } from './scan.ts'
import type { Table } from './tables.ts'

/** The tables with sealed rows. */
export const SEALED_TABLES = ['charters', 'activities', 'objects', 'jobs'] as const satisfies readonly Table[]

export type SealedTable = (typeof SEALED_TABLES)[number]

/** A new seal for a row, and the seal that it replaces. */
export type NewSeal = {
  readonly table: SealedTable
  /** The key as in a scan. */
  readonly key: ScanKey
  readonly from: string
  readonly to: string
}

export function checkSeals(seals: readonly NewSeal[]): void {
  for (const { table, key, from, to } of seals) {
    assert(key.length === shapeOf(table).key.length, 'a row is named by its whole key')
    assert([from, to].every(isText), 'a seal is plain text')
  }
}

/** The condition that a row has this key, and then this seal; `parameter` writes the n-th value, counted from 1. */
export function isRowWith(table: SealedTable, parameter: (n: number) => string): string {
  const { columns, key } = shapeOf(table)
  const named = key.map((field, at) => `${columns[field]} = ${parameter(at + 1)}`)
  return `${named.join(' AND ')} AND seal = ${parameter(key.length + 1)}`
}
