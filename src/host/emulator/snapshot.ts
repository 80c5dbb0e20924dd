import type { DatabaseSync } from 'node:sqlite'
import { migrationChecksum } from '../store/migrations.ts'
import { IN_MEMORY, openSqliteFile } from '../store/sqlite/file.ts'
import { sqliteMigrations } from '../store/sqlite/schema.ts'
import { LATEST } from './clock.ts'
import type { SentMessage } from './emulated-inbox.ts'
import { foreignSnapshot } from './failures.ts'
import type { OrdinalsState } from './ordinals.ts'

type Row = readonly (string | number | null)[]
type Table = { readonly name: string; readonly columns: readonly string[]; readonly rows: readonly Row[] }

/**
 * The whole state of an emulator at one instant, as plain data: `JSON.stringify` writes it and `JSON.parse` reads it.
 */
export type Snapshot = {
  readonly format: typeof FORMAT
  /** The version of the tables: a snapshot belongs to the version that made it. */
  readonly schema: string
  readonly seed: string
  readonly now: number
  readonly ordinals: OrdinalsState
  readonly requests: readonly (readonly [label: string, count: number])[]
  readonly messages: readonly SentMessage[]
  readonly users: readonly KnownUser[]
  readonly results: Results
  readonly tables: readonly Table[]
}

/**
 * A user whose key the emulator has: the key for this name, which follows from the seed. The first is the root user.
 */
export type KnownUser = {
  readonly userName: string
  readonly userId: string
  readonly organizationId: string
  readonly keyName: string
}

/** The results of the fixtures' activities, under the names in the fixtures. */
export type Results = { readonly [name: string]: unknown }

const FORMAT = 'claviger-emulator-snapshot-1'

export function writeSnapshot(
  db: DatabaseSync,
  rest: Omit<Snapshot, 'format' | 'schema' | 'tables'>,
): Snapshot {
  return { format: FORMAT, schema: SCHEMA, ...rest, tables: tableNames(db).map((name) => tableOf(db, name)) }
}

/** Checks that a value is a snapshot of this version and of this seed. @throws Failure `foreignSnapshot` */
export function checkSnapshot(snapshot: Snapshot, seed: string): void {
  // It may come from a file.
  const sent: unknown = snapshot
  if (typeof sent !== 'object' || sent === null || !('format' in sent))
    throw foreignSnapshot({ why: 'it is not a snapshot; snapshot() makes one' })
  if (sent.format !== FORMAT || snapshot.schema !== SCHEMA)
    throw foreignSnapshot({ why: 'it was made by another version of claviger; make it again with this one' })
  if (snapshot.seed !== seed)
    throw foreignSnapshot({
      why: `it was made with the seed ${String(snapshot.seed).slice(0, 40)}, and this emulator has ${seed}`,
    })
  const { tables, ordinals, requests, messages, users, results, now } = snapshot
  const isWhole =
    [tables, ordinals, requests, messages, users].every(Array.isArray) &&
    ordinals.every(isCounted) &&
    requests.every((pair) => typeof pair?.[0] === 'string' && Number.isSafeInteger(pair[1])) &&
    messages.every((sent) => typeof sent?.jobId === 'string' && typeof sent.message?.to === 'string') &&
    users.length > 0 &&
    users.every((user) => USER_FIELDS.every((name) => typeof user?.[name] === 'string')) &&
    typeof results === 'object' &&
    results !== null &&
    isCount(now) &&
    now <= LATEST
  if (!isWhole) throw foreignSnapshot({ why: 'a part of it is missing or was changed' })
}

const USER_FIELDS = ['userName', 'userId', 'organizationId', 'keyName'] as const

function isCounted(item: OrdinalsState[number]): boolean {
  const [label, made, outOfTurn] = Array.isArray(item) ? item : []
  return (
    typeof label === 'string' &&
    isCount(made) &&
    Array.isArray(outOfTurn) &&
    outOfTurn.every((at) => isCount(at))
  )
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

/** A database in memory with the rows of a snapshot. @throws Failure `foreignSnapshot` */
export function openSnapshot(tables: Snapshot['tables']): DatabaseSync {
  const db = openSqliteFile(IN_MEMORY, { lockWaitMs: 0 })
  try {
    db.exec('BEGIN')
    for (const name of tableNames(db))
      fill(
        db,
        name,
        tables.find((table) => table.name === name),
      )
    db.exec('COMMIT')
    return db
  } catch (error) {
    db.close()
    const why = error instanceof Error ? error.message : String(error)
    throw foreignSnapshot({ why: `its rows do not fit: ${why}` })
  }
}

const SCHEMA = sqliteMigrations.map(migrationChecksum).join(' ')

/**
 * The tables of the service and the counter of jobs, whose numbers are never reused; the migrations belong to the
 * version.
 */
function tableNames(db: DatabaseSync): readonly string[] {
  return db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migrations' ORDER BY name")
    .all()
    .map(({ name }) => String(name))
}

function columnsOf(db: DatabaseSync, table: string): readonly string[] {
  return db
    .prepare(`SELECT name FROM pragma_table_info('${table}') ORDER BY cid`)
    .all()
    .map(({ name }) => String(name))
}

function tableOf(db: DatabaseSync, name: string): Table {
  const columns = columnsOf(db, name)
  const rows = db.prepare(`SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${columns.join(', ')}`).all()
  // Every column holds texts and integers (`store/sqlite/schema.ts`).
  return { name, columns, rows: rows.map((row) => columns.map((column) => row[column]) as Row) }
}

function fill(db: DatabaseSync, name: string, table: Table | undefined): void {
  const columns = columnsOf(db, name)
  if (JSON.stringify(table?.columns) !== JSON.stringify(columns))
    throw new Error(`table ${name} is not there`)
  const places = columns.map(() => '?').join(', ')
  const put = db.prepare(`INSERT INTO ${name} (${columns.join(', ')}) VALUES (${places})`)
  for (const row of table?.rows ?? []) put.run(...row)
}
