import type { Socket } from 'node:net'
import type pg from 'pg'
import { postgresAddresses } from './address.ts'
import { checkPrimary } from './check-primary.ts'
import { postgresDefaults } from './defaults.ts'
import { asStoreError } from './errors.ts'
import { refuseMoved } from '../moved-store.ts'
import { NOTE } from './note.ts'
import { openPool, type Pool } from './pool.ts'
import { migrate, holdHostLock } from './migrate.ts'
import { checkSchema } from './schema-watch.ts'
import { RecordTexts } from '../record-texts.ts'
import { refuseSharedSessions } from './pooler.ts'
import { LOOK_MS, watchServers } from './server-watch.ts'
import { type Servers, servers } from './servers.ts'
import type { ServerTimeline } from './server-timeline.ts'
import type { PoolLoad } from '../store.ts'
import { StoreError } from '../store-error.ts'

/** Separate connections for kinds of work that must not wait for each other. */
export type Connections = {
  /** For units that need a transaction, and for the lookups of decisions. */
  readonly units: Pool
  /** One connection for batches of records only. */
  readonly records: Pool
  /** For reads that return many rows, with a shorter time limit for each. */
  readonly lists: Pool
  /** One connection for checking whether the data is there and is ours. */
  readonly vital: Pool
  /** Whether the data still has this version and was not moved. @throws StoreError `foreign` */
  readonly check: (client: Pick<pg.ClientBase, 'query'>) => Promise<void>
  /**
   * The texts that records name. A text that was stored on one connection is read again on the next before it counts as
   * stored.
   */
  readonly texts: RecordTexts
  /** Of the server of all connections; a different object after another server was promoted. */
  readonly timeline: () => ServerTimeline | undefined
  readonly load: () => readonly PoolLoad[]
  readonly end: () => Promise<void>
}

export type PostgresOptions = {
  /**
   * `postgres://user:password@host:port/database`, with the parameters of libpq (such as `sslmode`); see
   * `postgresAddresses`.
   */
  readonly url: string
  /** The name of the connections of `claviger move`; only they may use data during a move. */
  readonly mover?: string | undefined
  /** For units and lookups; two more connections are for batches and for readiness. */
  readonly connectionsMax?: number
  /** For lists. */
  readonly listConnectionsMax?: number
  readonly connectMs?: number
  readonly statementMs?: number
  readonly listMs?: number
  /** The interval of the checks which server is the primary. */
  readonly lookMs?: number
  /** The interval of the checks of the schema. */
  readonly watchMs?: number
  /** Only for tests and experiments: accepts a server that loses acknowledged units when its machine fails. */
  readonly allowFsyncOff?: boolean
}

/**
 * Connects, checks that the server is durable, and brings the tables to this version.
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
  const watch = watchServers(where, { everyMs: lookMs, name: mover, isStarting: () => !isMigrated })
  const aPool = (max: number, ms: number): Pool =>
    openPool({
      name: mover,
      servers: where,
      connectionsMax: max,
      connectMs,
      statementMs: ms,
      prepare: async (client, socket) => {
        if (!isMigrated)
          await refuseSharedSessions(client, { address: where.current(), connectMs, name: mover })
        await prepareSession(client, { socket, where, statementMs: ms, allowFsyncOff })
        // By now no connection leads to a server of before.
        texts.forget()
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
      await checkEncoding(client)
      await migrate(client)
      await holdHostLock(client)
      await checkSchema(client)
    })
    isMigrated = true
    return { units, records, lists, vital, check, texts, timeline: where.newest, load, end }
  } catch (error) {
    await end()
    throw asStoreError(error)
  }
}

/**
 * READ COMMITTED is enough. A unit that only records an activity reads the charter versions in the same statement that
 * writes, so they hold in that statement's snapshot: the unit counts as earlier than any amendment that commits later,
 * and the decision on an amendment never depends on the absence of the record. Units that amend a charter, or add rows
 * to it, lock its organization.
 *
 * Every statement here is a lookup by index. The planner of an empty database does not know that yet and would keep
 * plans that read whole tables, long after the tables have grown. So the settings tell it, and it plans each statement
 * once.
 *
 * The limits prevent a hanging host from holding the locks of others.
 *
 * A session keeps the `synchronous_commit` that it began with, whatever is set later. It is told every warning: at a
 * commit, a warning says that it may be lost (`withoutWarning`).
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
SELECT set_config('synchronous_commit', current_setting('synchronous_commit'), false);
SELECT set_config('client_min_messages', 'warning', false) WHERE current_setting('client_min_messages') = 'error';
`
}

async function prepareSession(
  client: pg.ClientBase,
  {
    socket,
    where,
    statementMs,
    allowFsyncOff,
  }: {
    readonly socket: Socket | undefined
    readonly where: Servers
    readonly statementMs: number
    readonly allowFsyncOff: boolean
  },
): Promise<void> {
  await client.query(sessionSql(statementMs))
  await checkPrimary(client, { where, socket })
  await checkDurable(client, allowFsyncOff)
}

// Checked on every new connection: a role or an address may have a setting of its own, and another server may have
// become the primary.
async function checkDurable(client: pg.ClientBase, allowFsyncOff: boolean): Promise<void> {
  const waits = await setting(client, 'synchronous_commit')
  if (waits !== 'on' && waits !== 'remote_apply')
    throw new StoreError(
      'notDurable',
      `PostgreSQL is set to synchronous_commit=${waits}, which acknowledges what a failure can take back; set it to on`,
    )
  if ((await setting(client, 'fsync')) !== 'on' && !allowFsyncOff)
    throw new StoreError('notDurable', 'PostgreSQL runs with fsync=off, which loses data in a power failure')
}

async function checkEncoding(client: pg.ClientBase): Promise<void> {
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
