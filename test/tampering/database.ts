import type { Vault } from '../../src/protocol/vault.ts'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import pg from 'pg'
import { openPostgres } from '../../src/host/store/postgres/postgres.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { Store } from '../../src/host/store/store.ts'
import { freshDatabase } from '../support/postgres.ts'
import { testWorld } from '../support/service.ts'
import { aCache, openServiceOn, type Service, START } from './harness.ts'

type Row = Readonly<Record<string, SQLInputValue>>

/** A service, and somebody who writes to its database while it runs. */
export type Database = {
  readonly service: Service
  readonly store: () => Store
  readonly rows: (sql: string, ...values: SQLInputValue[]) => Promise<readonly Row[]>
  /** Has these rows stand in the table in place of those with the same keys. */
  readonly putBack: (table: 'charters' | 'activities' | 'objects', rows: readonly Row[]) => Promise<void>
  /** Host and vault start anew on the same data. */
  readonly restart: () => Promise<void>
  /** One more host with a vault of its own on the same data. */
  readonly another: (around?: (vault: Vault) => Vault) => Promise<Service>
  readonly close: () => Promise<void>
}

export const engines = { sqlite: onSqlite, postgres: onPostgres }

const KEYS = {
  charters: ['organization_id'],
  activities: ['organization_id', 'activity_id'],
  objects: ['organization_id', 'kind', 'object_id'],
} as const

type Sql = (sql: string, values: readonly SQLInputValue[]) => Promise<readonly Row[]>

/** The store holds its file alone: it is closed while another program writes. Host and vault go on. */
async function onSqlite(): Promise<Database> {
  const cache = aCache()
  const path = cache.path('data.db')
  let store = openSqlite({ path })
  const sql: Sql = async (text, values) => {
    await store.close()
    const db = new DatabaseSync(path)
    try {
      return db.prepare(text.replaceAll(/\$(\d)/g, '?$1')).all(...values)
    } finally {
      db.close()
      store = openSqlite({ path })
    }
  }
  return await database({
    sql,
    store: () => store,
    close: async () => {
      await store.close()
      cache.clear()
    },
  })
}

async function onPostgres(): Promise<Database> {
  const url = await freshDatabase()
  const store = await openPostgres({ url })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return await database({
    sql: async (text, values) => (await client.query<Row>(text, [...values])).rows,
    store: () => store,
    close: async () => {
      await client.end()
      await store.close()
    },
  })
}

async function database(on: {
  readonly sql: Sql
  readonly store: () => Store
  readonly close: () => Promise<void>
}): Promise<Database> {
  const { sql, store, close } = on
  const world = testWorld(1, START)
  let service = await openServiceOn(store(), world)
  const opened = [service]
  const another = async (around?: (vault: Vault) => Vault): Promise<Service> => {
    const next = await openServiceOn(store(), world, around)
    opened.push(next)
    return next
  }
  const written: Sql = async (text, values) => {
    const found = await sql(text, values)
    for (const item of opened) item.useStore(store())
    return found
  }
  return {
    get service() {
      return service
    },
    store,
    rows: async (text, ...values) => await written(text, values),
    putBack: async (table, rows) => {
      for (const row of rows) {
        const where = KEYS[table].map((key, at) => `${key} = $${at + 1}`).join(' AND ')
        await written(
          `DELETE FROM ${table} WHERE ${where}`,
          KEYS[table].map((key) => row[key] ?? null),
        )
        const columns = Object.keys(row)
        const places = columns.map((_, at) => `$${at + 1}`).join(', ')
        await written(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`, Object.values(row))
      }
    },
    restart: async () => {
      service = await another()
    },
    another,
    close,
  }
}
