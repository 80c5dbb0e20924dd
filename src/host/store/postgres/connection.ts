import type { Socket } from 'node:net'
import type pg from 'pg'
import { postgresAddresses } from './address.ts'
import { postgresDefaults } from './defaults.ts'
import { explained } from './errors.ts'
import { refuseMoved } from '../moved-store.ts'
import { NOTE } from './note.ts'
import { openPool, type Pool } from './pool.ts'
import { migrate, holdHostLock } from './migrate.ts'
import { checkSchema } from './schema-watch.ts'
import { RecordTexts } from '../record-texts.ts'
import { refuseSharedSessions } from './pooler.ts'
import { watchServers } from './server-watch.ts'
import { type Servers, servers } from './servers.ts'
import { type ServerTimeline, serverTimelineOf } from './server-timeline.ts'
import type { PoolLoad } from '../store.ts'
import { StoreError } from '../store-error.ts'

/** Connections of their own for what must not wait for each other. */
export type Connections = {
  /** For units that need a transaction, and for the look-ups that decisions wait for. */
  readonly units: Pool
  /** One connection that only batches of records use. */
  readonly records: Pool
  /** For reads that answer with many rows, with less time for each. */
  readonly lists: Pool
  /** One connection for what tells whether the data is there and is ours. */
  readonly vital: Pool
  /** Whether the data are still of this version and in their place. @throws StoreError `foreign` */
  readonly check: (client: Pick<pg.ClientBase, 'query'>) => Promise<void>
  /** The texts that records name. What was stored of them on one connection is not taken for granted on the next. */
  readonly texts: RecordTexts
  /** Of the server that all connections are to; another object once another server was promoted. */
  readonly timeline: () => ServerTimeline | undefined
  readonly load: () => readonly PoolLoad[]
  readonly end: () => Promise<void>
}

export type PostgresOptions = {
  /**
   * `postgres://user:password@host:port/database`, with the parameters that libpq knows (such as `sslmode`); see
   * `postgresAddresses`.
   */
  readonly url: string
  /** The name of the connections of `claviger move`, which alone uses data while they are moved. */
  readonly mover?: string | undefined
  /** For units and look-ups; two more are used for batches and for readiness. */
  readonly connectionsMax?: number
  /** For lists. */
  readonly listConnectionsMax?: number
  readonly connectMs?: number
  readonly statementMs?: number
  readonly listMs?: number
  /** Between two looks at which server is the primary. */
  readonly lookMs?: number
  /** Between two looks at the schema. */
  readonly watchMs?: number
  /** For tests and experiments alone: takes a server that loses acknowledged units when its machine fails. */
  readonly allowFsyncOff?: boolean
}

/** Between two looks at which server is the primary. */
const LOOK_MS = 1_000

/**
 * Connects, makes sure that the server is durable, and brings the tables to this version.
 *
 * @throws StoreError `unavailable`, `notDurable` or `foreign`
 */
export async function connectPostgres({
  url,
  mover,
  connectionsMax = postgresDefaults.connectionsMax,
  listConnectionsMax = postgresDefaults.listConnectionsMax,
  connectMs = postgresDefaults.connectMs,
  statementMs = postgresDefaults.statementMs,
  listMs = postgresDefaults.listMs,
  lookMs = LOOK_MS,
  allowFsyncOff = false,
}: PostgresOptions): Promise<Connections> {
  let isMigrated = false
  const check: Connections['check'] = async (client) => {
    await checkSchema(client)
    if (mover === undefined) await refuseMoved({ note: noteOf(client) })
  }
  const texts = new RecordTexts()
  const where = servers(postgresAddresses(url) ?? [url])
  const watch = watchServers(where, { everyMs: lookMs, name: mover })
  const aPool = (max: number, ms: number): Pool =>
    openPool({
      name: mover,
      servers: where,
      connectionsMax: max,
      connectMs,
      statementMs: ms,
      prepare: async (client, socket) => {
        texts.forget()
        if (!isMigrated)
          await refuseSharedSessions(client, { address: where.current(), connectMs, name: mover })
        await prepareSession(client, { socket, where, statementMs: ms })
        if (!isMigrated) return
        await holdHostLock(client)
        await check(client)
      },
    })
  const units = aPool(connectionsMax, statementMs)
  const records = aPool(1, statementMs)
  const lists = aPool(listConnectionsMax, listMs)
  const vital = aPool(1, listMs)
  const load = (): readonly PoolLoad[] =>
    Object.entries({ units, records, lists, vital }).map(([pool, of]) => ({ pool, ...of.load() }))
  const end = async (): Promise<void> => {
    watch.stop()
    await Promise.all([units, records, lists, vital].map((pool) => pool.end()))
  }
  try {
    await watch.first
    await units.lend(async (client) => {
      await checkServer(client, allowFsyncOff)
      await migrate(client)
      await holdHostLock(client)
      await checkSchema(client)
    })
    isMigrated = true
    return { units, records, lists, vital, check, texts, timeline: where.newest, load, end }
  } catch (error) {
    await end()
    throw explained(error)
  }
}

/**
 * READ COMMITTED is enough. A unit that only records an activity reads the charter versions in the statement that
 * writes, so at that statement's snapshot they hold: it is as if it came before any amendment that commits later, and
 * nothing an amendment decides depends on the record being absent. Units that amend lock what they were decided on.
 *
 * Every statement here is a look-up by index. The planner of an empty database does not know that yet and would keep
 * plans that read whole tables, long after they have grown; so it is told, and plans each statement once.
 *
 * The limits keep a host that hangs from holding the locks of others.
 */
export function sessionSql(statementMs: number): string {
  return `
SET default_transaction_isolation = 'read committed';
SET enable_seqscan = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET plan_cache_mode = force_generic_plan;
SET jit = off;
SET statement_timeout = ${statementMs};
SET idle_in_transaction_session_timeout = '10s';
`
}

// Checked on every new connection, since a role or an address can carry a setting of its own.
async function prepareSession(
  client: pg.ClientBase,
  {
    socket,
    where,
    statementMs,
  }: { readonly socket: Socket | undefined; readonly where: Servers; readonly statementMs: number },
): Promise<void> {
  await client.query(sessionSql(statementMs))
  const waits = await setting(client, 'synchronous_commit')
  if (waits !== 'on' && waits !== 'remote_apply')
    throw new StoreError(
      'notDurable',
      `PostgreSQL is set to synchronous_commit=${waits}, which acknowledges what a failure can take back; set it to on`,
    )
  const timeline = await serverTimelineOf(client)
  if (timeline === undefined)
    throw new StoreError(
      'unavailable',
      'this server of PostgreSQL takes no writes: it is a standby, or set to read only',
    )
  if (where.isBehind(timeline, socket))
    throw new StoreError(
      'unavailable',
      where.newest()?.system === timeline.system
        ? 'this server of PostgreSQL is behind one that was used before: another one was promoted since'
        : 'this server of PostgreSQL is of another cluster than the one that was used before: start the service anew where that is meant',
    )
}

async function checkServer(client: pg.ClientBase, allowFsyncOff: boolean): Promise<void> {
  if ((await setting(client, 'fsync')) !== 'on' && !allowFsyncOff)
    throw new StoreError('notDurable', 'PostgreSQL runs with fsync=off, which loses data in a power failure')
  const encoding = await setting(client, 'server_encoding')
  if (encoding !== 'UTF8')
    throw new StoreError('foreign', `the database is encoded in ${encoding}; it must be UTF8`)
}

function noteOf(client: Pick<pg.ClientBase, 'query'>) {
  return async (name: string): Promise<string | undefined> =>
    (await client.query<{ value: string }>({ ...NOTE, values: [name] })).rows[0]?.value
}

async function setting(client: pg.ClientBase, name: string): Promise<string> {
  const { rows } = await client.query<{ value: string }>('SELECT current_setting($1) AS value', [name])
  return rows[0]?.value ?? ''
}
