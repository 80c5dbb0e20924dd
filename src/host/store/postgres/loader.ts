import type pg from 'pg'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { columnList } from '../columns.ts'
import { IN_EMPTY_STORES, type Loader } from '../loader.ts'
import { declaredColumns } from './columns.ts'
import { withCommandPool } from './command-pool.ts'
import { withoutWarning } from './without-warning.ts'
import { asStoreError, inOurWords } from './errors.ts'
import { isStoreOutage } from '../outage.ts'
import { othersConnected } from './migrate.ts'
import { postgresScan } from './scan.ts'
import { compactRecords } from './record-texts.ts'
import { openPostgres } from './postgres.ts'
import { RecordTexts } from '../record-texts.ts'
import { shapeOf } from '../scan.ts'
import { StoreError } from '../store-error.ts'
import { type Table, tables } from '../tables.ts'

/**
 * Fills an empty database in one transaction, which keeps services out. If the work fails, or the
 * process is killed, the database is empty afterwards.
 *
 * @throws StoreError `unavailable`, `foreign` if there is data already, or `inUse` if a service is connected
 */
export async function withPostgresLoader<Result>(
  url: string,
  work: (loader: Loader) => Promise<Result>,
): Promise<Result> {
  // Creates the missing tables.
  await (await openPostgres({ url })).close()
  const terms = { connectMs: CONNECT_MS, statementMs: STATEMENT_MS, isLasting: true }
  return await withCommandPool(url, terms, (pool) =>
    pool.lend(async (client) => {
      await inOurWords(async () => {
        await client.query('BEGIN')
        await client.query(
          `LOCK TABLE ${ALL_TABLES.map((table) => shapeOf(table).name).join(', ')} IN EXCLUSIVE MODE`,
        )
        await refuseFilled(client)
        await refuseServed(client)
        for (const table of IN_EMPTY_STORES) await client.query(`DELETE FROM ${shapeOf(table).name}`)
      })
      const result = await work(loaderOn(client))
      await inOurWords(() => withoutWarning(client, () => client.query('COMMIT')))
      await analyze(client)
      return result
    }),
  )
}

/** The rows are there by now, whatever becomes of this: the server also analyzes its tables by itself, later. */
async function analyze(client: pg.ClientBase): Promise<void> {
  try {
    await client.query('ANALYZE')
  } catch (error) {
    if (!isStoreOutage(asStoreError(error))) throw error
  }
}

const CONNECT_MS = 10_000
const PAGE_CHARACTERS = 1024 * 1024
const STATEMENT_MS = 10 * 60_000

// These are exactly the names of the tables.
const ALL_TABLES = Object.keys(tables) as Table[]

async function refuseFilled(client: pg.ClientBase): Promise<void> {
  for (const table of ALL_TABLES) {
    if (IN_EMPTY_STORES.has(table)) continue
    const { rows } = await client.query(`SELECT 1 FROM ${shapeOf(table).name} LIMIT 1`)
    if (rows.length > 0)
      throw new StoreError('foreign', `the database is not empty (it has ${table}): choose another one`)
  }
}

/** A vault learns of a restore when its service starts: a running one would carry out lost requests again. */
async function refuseServed(client: pg.ClientBase): Promise<void> {
  const others = await othersConnected(client)
  if (others === undefined) return
  throw new StoreError(
    'inUse',
    `the database is in use, ${others}: stop all of them, and start them afterwards`,
  )
}

function loaderOn(client: pg.ClientBase): Loader {
  const texts = new RecordTexts()
  return {
    scan: postgresScan((statement) => inOurWords(() => client.query(statement)), {
      charactersMax: PAGE_CHARACTERS,
    }),
    put: async (table, rows) => {
      const fields = Object.keys(shapeOf(table).columns)
      // The columns accept only values of their own type.
      const stored =
        table === 'activities'
          ? await inOurWords(() => compactRecords(texts, rows as readonly ActivityRow[], client))
          : rows
      const values = stored as readonly { readonly [field: string]: unknown }[]
      await inOurWords(() =>
        client.query<never>({
          name: `load ${table}`,
          text: INSERTS.get(table) ?? '',
          values: fields.map((field) => values.map((row) => row[field] ?? null)),
        }),
      )
    },
    setLastJob: async (sequence) => {
      if (sequence > 0)
        await inOurWords(() =>
          client.query("SELECT setval(pg_get_serial_sequence('errands', 'sequence'), $1)", [sequence]),
        )
    },
  }
}

const TYPES = declaredColumns()

const INSERTS: ReadonlyMap<Table, string> = new Map(
  ALL_TABLES.map((table) => {
    const { name, columns } = shapeOf(table)
    const lists = Object.values(columns).map((column, at) => {
      const isNumber = TYPES.get(`${name}.${column}`) === 'bigint'
      return `$${at + 1}::${isNumber ? 'bigint' : 'text'}[]`
    })
    return [table, `INSERT INTO ${name} (${columnList(columns)}) SELECT * FROM unnest(${lists.join(', ')})`]
  }),
)
