import { sessionSql } from './postgres-connection.ts'
import { postgresAddresses } from './postgres-address.ts'
import { inOurWords } from './postgres-errors.ts'
import { openPool, servers } from './postgres-pool.ts'

/** How many connections services and commands have to this database now. */
export async function postgresServices(url: string): Promise<number> {
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
    const { rows } = await inOurWords(() => pool.read<{ others: number }>({ text: OTHERS }))
    return rows[0]?.others ?? 0
  } finally {
    await pool.end()
  }
}

const OTHERS = `SELECT count(*) AS others FROM pg_stat_activity
  WHERE application_name = 'claviger' AND datname = current_database() AND pid <> pg_backend_pid()`
const WAIT_MS = 10_000
