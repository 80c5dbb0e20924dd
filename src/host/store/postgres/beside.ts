import { postgresAddresses } from './address.ts'
import { sessionSql } from './connection.ts'
import { inOurWords } from './errors.ts'
import { openPool, type Pool } from './pool.ts'
import { servers } from './servers.ts'

const WAIT_MS = 10_000

/**
 * The view of a command on a database with running services, over one connection that ends with it.
 *
 * @param name  of the connection, in `pg_stat_activity`
 * @throws StoreError `unavailable` if there is no answer within ten seconds
 */
export async function besidePostgres<Result>(
  url: string,
  look: (pool: Pool) => Promise<Result>,
  name?: string,
): Promise<Result> {
  const pool = openPool({
    name,
    servers: servers(postgresAddresses(url) ?? [url]),
    connectionsMax: 1,
    connectMs: WAIT_MS,
    statementMs: WAIT_MS,
    prepare: async (client) => {
      await client.query(sessionSql(WAIT_MS))
    },
  })
  try {
    return await inOurWords(() => look(pool))
  } finally {
    await pool.end()
  }
}
