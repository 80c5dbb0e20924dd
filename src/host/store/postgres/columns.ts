import type pg from 'pg'
import { migrationTable, postgresMigrations } from './schema.ts'
import { StoreError } from '../store-error.ts'

/**
 * Checks that every column has the type that the steps of the schema gave it. A role that may alter a table could turn
 * numbers into texts, and among texts 9 is greater than 10.
 *
 * @throws StoreError `foreign`, with the name of the column
 */
export async function checkColumns(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ name: string; type: string }>({ ...COLUMNS, values: [TABLES] })
  const found = new Map(rows.map(({ name, type }) => [name, type]))
  for (const [name, type] of DECLARED) {
    const is = found.get(name)
    if (is !== type)
      throw new StoreError(
        'foreign',
        `the column ${name} of the database is ${is ?? 'gone'}, and has to be ${type}: its tables were altered by hand`,
      )
  }
}

/** `table.column` and its type, such as `bigint`, according to the steps of the schema. */
export function declaredColumns(
  steps: readonly { readonly sql: string }[] = postgresMigrations,
): ReadonlyMap<string, string> {
  const columns = new Map<string, string>()
  for (const sql of [migrationTable, ...steps.map((step) => step.sql)]) {
    for (const [, table, body = ''] of sql.matchAll(/^CREATE TABLE (?:IF NOT EXISTS )?(\w+) \($(.*?)^\)/gms))
      for (const [, column, type = ''] of body.matchAll(COLUMN)) columns.set(`${table}.${column}`, type)
    for (const [, table, column, type = ''] of sql.matchAll(ADDED)) columns.set(`${table}.${column}`, type)
    for (const [, table, column] of sql.matchAll(DROPPED)) columns.delete(`${table}.${column}`)
  }
  return columns
}

const TYPE = String.raw`(text COLLATE "C"|text|bigint)`
const COLUMN = new RegExp(String.raw`^ +(\w+) ${TYPE}`, 'gm')
const ADDED = new RegExp(String.raw`^ALTER TABLE (\w+) ADD COLUMN (\w+) ${TYPE}`, 'gm')
const DROPPED = /^ALTER TABLE (\w+) DROP COLUMN (\w+)/gm
const DECLARED = declaredColumns()
const TABLES = [...new Set([...DECLARED.keys()].map((name) => name.slice(0, name.indexOf('.'))))]

const COLUMNS = {
  name: 'columns',
  text: `SELECT tables.name || '.' || attname AS name,
  format_type(atttypid, atttypmod) || CASE WHEN collname = 'C' THEN ' COLLATE "C"' ELSE '' END AS type
FROM unnest($1::text[]) AS tables (name)
JOIN pg_attribute ON attrelid = to_regclass(tables.name) AND attnum > 0 AND NOT attisdropped
LEFT JOIN pg_collation ON pg_collation.oid = attcollation`,
}

const INT8 = 20
const TEXT = 25
const NUMBERS: ReadonlySet<string> = new Set([
  'version',
  'timestampMs',
  'awaited',
  'revision',
  'createdAt',
  'updatedAt',
  'expiresAt',
  'sequence',
  'attempts',
  'dead',
  'dueAt',
  'takenAt',
  'isDue',
])

/**
 * The same check for an answer, at negligible cost: its columns, under the names of their fields, are numbers or texts.
 *
 * @throws StoreError `foreign`
 */
export function checkFields(fields: readonly pg.FieldDef[]): void {
  for (const { name, dataTypeID } of fields)
    if (dataTypeID !== (NUMBERS.has(name) ? INT8 : TEXT))
      throw new StoreError(
        'foreign',
        `"${name}" comes from the database as a value of another type (${dataTypeID}): its tables were altered by hand`,
      )
}
