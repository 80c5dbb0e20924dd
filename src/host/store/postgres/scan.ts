import type pg from 'pg'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { checkFields } from './columns.ts'
import type { Statement } from './pool.ts'
import { expandRecords } from './record-texts.ts'
import { RecordTexts } from '../record-texts.ts'
import { keyOfRow, pageSelect, rowCharacters, type Scan, shapeOf } from '../scan.ts'
import type { Table, TableRows } from '../tables.ts'

/**
 * Reads pages of a table. A page ends early, with the row that reaches the maximum of characters. The server counts
 * them, so at most one row beyond the maximum is sent. The characters of records are counted again with the texts that
 * they name.
 */
export function postgresScan(
  read: <Row extends pg.QueryResultRow>(statement: Statement) => Promise<pg.QueryResult<Row>>,
  {
    charactersMax,
    texts = new RecordTexts(),
  }: { readonly charactersMax: number; readonly texts?: RecordTexts },
): Scan {
  const asRead = async <T extends Table>(table: T, stored: readonly TableRows[T][]) => {
    if (table !== 'activities') return stored
    // The rows of this table are records, although the type is general here.
    const rows = (await expandRecords(
      texts,
      stored as readonly ActivityRow[],
      read,
    )) as readonly TableRows[T][]
    let characters = 0
    const end = rows.findIndex((row) => (characters += rowCharacters(row)) >= charactersMax)
    return end < 0 ? rows : rows.slice(0, end + 1)
  }
  return async <T extends Table>(table: T, { limit, after }: Parameters<Scan>[1]) => {
    const values = [...(after ?? []), limit]
    const answer = await read<TableRows[T]>({
      name: `scan ${table}${after === undefined ? ', from its beginning' : ''}`,
      text: pageOf(table, { isFirst: after === undefined, charactersMax }),
      values,
    })
    checkFields(answer.fields)
    const rows = await asRead(table, answer.rows)
    const last = rows.at(-1)
    return { rows, last: last === undefined ? undefined : keyOfRow(table, last) }
  }
}

function pageOf(
  table: Table,
  { isFirst, charactersMax }: { readonly isFirst: boolean; readonly charactersMax: number },
): string {
  const { columns, key } = shapeOf(table)
  const select = pageSelect(table, { isFirst, parameter: (n) => `$${n}` })
  const fields = Object.keys(columns).map((field) => `"${field}"`)
  const order = key.map((field) => `"${field}"`).join(', ')
  const length = fields.map((field) => `coalesce(octet_length(${field}::text), 0)`).join(' + ')
  const before = `coalesce(sum(${length}) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)`
  return `SELECT ${fields.join(', ')} FROM (
    SELECT *, ${before} AS before FROM (${select} LIMIT $${isFirst ? 1 : key.length + 1}) AS page
  ) AS counted WHERE before < ${charactersMax} ORDER BY ${order}`
}
