import type pg from 'pg'
import { withCommandPool } from './command-pool.ts'
import { inOurWords } from './errors.ts'
import type { Statement } from './pool.ts'
import { postgresScan } from './scan.ts'
import { refuseNewer, refuseOlder } from '../migrations.ts'
import { postgresMigrations } from './schema.ts'
import { appliedTo, checkSchema } from './schema-watch.ts'
import type { Snapshot } from '../snapshot.ts'

/**
 * Reads the present state of the database, also while services write to it: in one transaction, REPEATABLE READ and
 * READ ONLY, which sees all commits before its beginning and no later ones.
 *
 * @throws StoreError `unavailable`, or `foreign` if its data has another version
 */
export async function withPostgresSnapshot<Result>(
  url: string,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  // A slow reader of the pages delays no other work.
  const terms = { connectMs: CONNECT_MS, statementMs: STATEMENT_MS, isLasting: true, isReading: true }
  return await withCommandPool(url, terms, (pool) =>
    pool.lend(async (client) => {
      const read: Read = async (statement) => await inOurWords(() => client.query(statement))
      await inOurWords(async () => {
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')
        const applied = await appliedTo(client)
        refuseNewer(postgresMigrations, applied)
        refuseOlder(postgresMigrations, applied, 'the database')
        await checkSchema(client)
      })
      const { rows } = await read<{ last: number | null }>({ text: LAST_JOB })
      return await work({
        scan: postgresScan(read, { charactersMax: PAGE_CHARACTERS }),
        lastJob: rows[0]?.last ?? 0,
      })
    }),
  )
}

type Read = <Row extends pg.QueryResultRow>(statement: Statement) => Promise<pg.QueryResult<Row>>

const LAST_JOB = "SELECT pg_sequence_last_value(pg_get_serial_sequence('errands', 'sequence')) AS last"

const CONNECT_MS = 10_000
const STATEMENT_MS = 60_000
const PAGE_CHARACTERS = 1024 * 1024
