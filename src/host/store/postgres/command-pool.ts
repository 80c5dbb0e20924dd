import { postgresAddresses } from './address.ts'
import { checkPrimary } from './check-primary.ts'
import { sessionSql } from './connection.ts'
import { openPool, type Pool } from './pool.ts'
import { LOOK_MS, watchServers } from './server-watch.ts'
import type { Reading } from './server-timeline.ts'
import { servers } from './servers.ts'

/**
 * The work of a command over one connection to the primary, which ends with it. With several servers it is the one with
 * the newest timeline: a standby, or a primary of before, may lack acknowledged commits.
 *
 * @param name       of the connection, in `pg_stat_activity`
 * @param isLasting  whether a transaction may wait for the command, such as for its slow writing of a file
 */
export async function withCommandPool<Result>(
  url: string,
  {
    name,
    connectMs,
    statementMs,
    isLasting = false,
    ...reading
  }: Reading & {
    readonly name?: string | undefined
    readonly connectMs: number
    readonly statementMs: number
    readonly isLasting?: boolean
  },
  work: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  const where = servers(postgresAddresses(url) ?? [url])
  if (where.addresses.length > 1) {
    const watch = watchServers(where, { everyMs: LOOK_MS, name, ...reading })
    await watch.first
    watch.stop()
  }
  const pool = openPool({
    name,
    servers: where,
    connectionsMax: 1,
    connectMs,
    statementMs,
    prepare: async (client, socket) => {
      await client.query(sessionSql(statementMs))
      if (isLasting) await client.query('SET idle_in_transaction_session_timeout = 0')
      await checkPrimary(client, { where, socket, ...reading })
    },
  })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}
