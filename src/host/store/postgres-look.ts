import pg from 'pg'
import { postgresAddresses } from './postgres-address.ts'

/** What a database server says of itself, for the operator. */
type PostgresLook = {
  readonly version: string
  readonly now: number
  readonly synchronousCommit: string
  /** Empty where no standby has to confirm. */
  readonly standbys: string
}

/** Asks the first of the servers that answers. */
export async function lookAtPostgres(url: string, connectMs: number): Promise<PostgresLook> {
  const [first = url] = postgresAddresses(url) ?? []
  const client = new pg.Client({ connectionString: first, connectionTimeoutMillis: connectMs })
  // A connection that breaks later is told by the query that meets it.
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ version: string; now: string; commit: string; standbys: string }>(
      `SELECT current_setting('server_version') AS version,
              (extract(epoch FROM clock_timestamp()) * 1000)::bigint::text AS now,
              current_setting('synchronous_commit') AS commit,
              current_setting('synchronous_standby_names') AS standbys`,
    )
    const { version = '', now = '0', commit = '', standbys = '' } = rows[0] ?? {}
    return { version, now: Number(now), synchronousCommit: commit, standbys }
  } finally {
    await client.end()
  }
}
