import { besidePostgres } from './beside.ts'
import { POOL_NAME } from './pool.ts'

/**
 * The present number of connections of services and commands to this database.
 *
 * @param own  the name of the connections that are not counted
 */
export async function postgresServices(url: string, own: string): Promise<number> {
  const count = { text: OTHERS, values: [POOL_NAME, own] }
  const { rows } = await besidePostgres(url, (pool) => pool.read<{ others: number }>(count), {
    name: own,
  })
  return rows[0]?.others ?? 0
}

const OTHERS = `SELECT count(*) AS others FROM pg_stat_activity
  WHERE starts_with(application_name, $1) AND application_name <> $2 AND datname = current_database()`
