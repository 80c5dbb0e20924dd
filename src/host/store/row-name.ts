import type { ScanKey } from './scan.ts'
import type { Table } from './tables.ts'

/**
 * A row by its table and its key, for people. The key may have any length, because another program may have written it.
 */
export function rowName(table: Table, key: ScanKey): string {
  return [table, ...key.map((part) => shortened(String(part)))].join(' ')
}

function shortened(part: string): string {
  return part.length > PART_CHARACTERS_MAX ? `${part.slice(0, PART_CHARACTERS_MAX)}…` : part
}

const PART_CHARACTERS_MAX = 100
