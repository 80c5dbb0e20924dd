import { postgresAddresses } from './postgres-address.ts'
import { sessionSql } from './postgres-connection.ts'
import { inOurWords } from './postgres-errors.ts'
import { openPool } from './postgres-pool.ts'
import { appliedTo } from './postgres-schema-watch.ts'
import { servers } from './postgres-servers.ts'
import type { SchemaLook } from './schema-look.ts'
import { StoreError } from './store-error.ts'

/**
 * Reads, of a database of any version, the steps that were taken, and the notes whose names begin so.
 *
 * @throws StoreError `unavailable`, or `foreign` where there are no data
 */
export async function lookAtPostgresSchema(url: string, prefix: string): Promise<SchemaLook> {
  const pool = openPool({
    servers: servers(postgresAddresses(url) ?? [url]),
    connectionsMax: 1,
    connectMs: WAIT_MS,
    statementMs: WAIT_MS,
    prepare: async (client) => {
      await client.query(sessionSql(WAIT_MS))
    },
  })
  try {
    return await inOurWords(() =>
      pool.lend(async (client) => {
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')
        const { rows } = await client.query<{ there: string | null }>(
          "SELECT to_regclass('migrations')::text AS there",
        )
        if ((rows[0]?.there ?? null) === null)
          throw new StoreError(
            'foreign',
            'the database has no data of Claviger: claviger init makes the first',
          )
        const applied = await appliedTo(client)
        const notes = await client.query<SchemaLook['notes'][number]>(
          'SELECT name, value FROM notes WHERE starts_with(name, $1) ORDER BY name LIMIT 1000',
          [prefix],
        )
        await client.query('COMMIT')
        return { applied, notes: notes.rows }
      }),
    )
  } finally {
    await pool.end()
  }
}

const WAIT_MS = 10_000
