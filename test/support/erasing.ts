import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after } from 'node:test'
import pg from 'pg'
import { snapshotSource } from '../../src/host/copies/row-source.ts'
import { rowsOf } from '../../src/host/copies/rows-of.ts'
import { verifyRows } from '../../src/host/copies/verify-rows.ts'
import { newVerifyState } from '../../src/host/copies/verify-state.ts'
import { openPostgres } from '../../src/host/store/postgres/postgres.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { Store } from '../../src/host/store/store.ts'
import { tables } from '../../src/host/store/tables.ts'
import type { Vault } from '../../src/protocol/vault.ts'
import { costs } from '../../src/trusted/base/costs.ts'
import { SLICE } from '../../src/trusted/base/work.ts'
import type { ActivityRow } from '../../src/trusted/catalogue/unit.ts'
import type { Keyring } from '../../src/trusted/vault/keys/keyring.ts'
import { votesOf } from '../../src/trusted/vault/records/votes.ts'
import { sealActivity } from '../../src/trusted/vault/seals/seals.ts'
import { freshDatabase, postgresAvailable } from './postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'claviger-erasing-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** A store, and the texts that its records have in common, which no reader of the store is given. */
export type StoreWithTexts = {
  readonly store: Store
  readonly texts: () => Promise<readonly { readonly organizationId: string; readonly body: string }[]>
}

let files = 0

/** Each engine that is here, with nothing in it. */
export const emptyStores: { readonly [engine: string]: () => Promise<StoreWithTexts> } = {
  sqlite: async () => {
    const path = join(folder, `claviger-${files++}.db`)
    return {
      store: openSqlite({ path }),
      texts: async () => {
        const db = new DatabaseSync(path, { readOnly: true })
        const found = db.prepare('SELECT organization_id, body FROM record_texts').all()
        db.close()
        return found.map((row) => ({
          organizationId: String(row['organization_id']),
          body: String(row['body']),
        }))
      },
    }
  },
  ...(postgresAvailable() ? { postgres: onPostgres } : {}),
}

async function onPostgres(): Promise<StoreWithTexts> {
  const url = await freshDatabase()
  return {
    store: await openPostgres({ url }),
    texts: async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      const { rows } = await client.query<{ organization_id: string; body: string }>(
        'SELECT organization_id, body FROM record_texts',
      )
      await client.end()
      return rows.map(({ organization_id: organizationId, body }) => ({ organizationId, body }))
    },
  }
}

/** Every row of every table, as JSON. */
export async function everyRow(store: Pick<Store, 'scan'>): Promise<readonly string[]> {
  const rows: string[] = []
  for (const table of Object.keys(tables) as (keyof typeof tables)[])
    for await (const page of rowsOf(store, table))
      rows.push(...page.map((row) => `${table} ${JSON.stringify(row)}`))
  return rows
}

/** Sealed records like this one, each of which takes more than a slice of the vault's thread. */
export function longRecords(keyring: Keyring, { seal: _, ...row }: ActivityRow): readonly ActivityRow[] {
  const text = 'x'.repeat((0.6 * SLICE) / costs.rowCharacter)
  const votes = JSON.stringify(
    votesOf(row.votes).map((vote, at) => (at === 0 ? { ...vote, message: text } : vote)),
  )
  const long = sealActivity(keyring, { ...row, intent: JSON.stringify({ text }), votes })
  return [long, long, long]
}

/** What `claviger verify` would find wrong. */
export async function problemsIn(store: Store, vault: Vault): Promise<readonly string[]> {
  const state = newVerifyState('salt')
  await verifyRows(snapshotSource(store), vault, { state, pauseAfterRows: 1_000, paused: async () => {} })
  return state.problems.map(({ what, problem }) => `${what}: ${problem}`)
}
