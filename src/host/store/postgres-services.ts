import { sessionSql } from './postgres-connection.ts'
import { postgresAddresses } from './postgres-address.ts'
import { inOurWords } from './postgres-errors.ts'
import { openPool, POOL_NAME } from './postgres-pool.ts'
import { servers } from './postgres-servers.ts'

/**
 * How many connections services and commands have to this database now.
 *
 * @param own  the name of the connections that are not counted
 */
export async function postgresServices(url: string, own: string): Promise<number> {
  const pool = openPool({
    name: own,
    servers: servers(postgresAddresses(url) ?? [url]),
    connectionsMax: 1,
    connectMs: WAIT_MS,
    statementMs: WAIT_MS,
    prepare: async (client) => {
      await client.query(sessionSql(WAIT_MS))
    },
  })
  try {
    const { rows } = await inOurWords(() =>
      pool.read<{ others: number }>({ text: OTHERS, values: [POOL_NAME, own] }),
    )
    return rows[0]?.others ?? 0
  } finally {
    await pool.end()
  }
}

const OTHERS = `SELECT count(*) AS others FROM pg_stat_activity
  WHERE starts_with(application_name, $1) AND application_name <> $2 AND datname = current_database()`
const WAIT_MS = 10_000
