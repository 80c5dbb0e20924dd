import { besidePostgres } from './beside.ts'
import { appliedTo } from './schema-watch.ts'
import type { SchemaLook } from '../schema-look.ts'
import { StoreError } from '../store-error.ts'

/**
 * Reads, from a database of any version, the applied steps, and the notes whose names have this beginning.
 *
 * @throws StoreError `unavailable`, or `foreign` if there is no data
 */
export async function lookAtPostgresSchema(url: string, prefix: string): Promise<SchemaLook> {
  return await besidePostgres(url, (pool) =>
    pool.lend(async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')
      const { rows } = await client.query<{ there: string | null }>(
        "SELECT to_regclass('migrations')::text AS there",
      )
      if ((rows[0]?.there ?? null) === null)
        throw new StoreError('foreign', 'the database has no data of Claviger: claviger init makes the first')
      const applied = await appliedTo(client)
      const notes = await client.query<SchemaLook['notes'][number]>(
        'SELECT name, value FROM notes WHERE starts_with(name, $1) ORDER BY name LIMIT 1000',
        [prefix],
      )
      await client.query('COMMIT')
      return { applied, notes: notes.rows }
    }),
  )
}
