import pg from 'pg'
import { migrationChecksum, pendingMigrations } from './migrations.ts'
import { migrationTable, postgresMigrations } from './postgres-schema.ts'
import { StoreError } from './store-error.ts'

export type Connections = {
  /** For reads and for units that need a transaction. */
  readonly shared: pg.Pool
  /** One connection that only batches of records use, so that nothing else holds them up. */
  readonly records: pg.Pool
}

export type PostgresOptions = {
  /** `postgres://user:password@host:port/database`, with the parameters that libpq knows (such as `sslmode`). */
  readonly url: string
  /** Of this process; 8 unless told. One more is used for batches. */
  readonly connectionsMax?: number
  /** For tests and experiments alone: takes a server that loses acknowledged units when its machine fails. */
  readonly allowFsyncOff?: boolean
}

/**
 * Connects, makes sure that the server is durable, and brings the tables to this version.
 *
 * @throws StoreError `unavailable`, `notDurable` or `foreign`
 */
export async function connectPostgres({
  url,
  connectionsMax = 8,
  allowFsyncOff = false,
}: PostgresOptions): Promise<Connections> {
  const shared = aPool(url, connectionsMax)
  const records = aPool(url, 1)
  try {
    const client = await shared.connect()
    try {
      await checkServer(client, allowFsyncOff)
      await migrate(client)
    } finally {
      client.release()
    }
    return { shared, records }
  } catch (error) {
    await Promise.all([shared.end(), records.end()])
    throw explained(error)
  }
}

/**
 * An error of the driver in our words. What PostgreSQL itself refused is passed on as it is: then nothing was written.
 * Anything else means that the connection is gone, and with it the answer to what was under way.
 */
export function explained(error: unknown): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error
  if (isRefusal(error)) return error
  return new StoreError(
    'unavailable',
    `no answer from PostgreSQL (${error.message}); whether what was under way took effect is unknown`,
    { cause: error },
  )
}

/** Whether PostgreSQL answered and nothing was written: not so for lost connections (class 08) and shutdowns (57P). */
export function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !/^(08|57P)/.test(error.code ?? '08')
}

function aPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: 'claviger',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 0,
    // Longer than the server's own limit below, so that only a dead connection meets it.
    query_timeout: 40_000,
    types: { getTypeParser },
    onConnect: prepareSession,
  })
  // An idle connection that breaks is dropped and a later query opens another; unheard, the event would end the process.
  pool.on('error', () => undefined)
  return pool
}

/**
 * READ COMMITTED is enough. A unit that only records an activity reads the charter versions in the statement that writes,
 * so at that statement's snapshot they hold: it is as if it came before any amendment that commits later, and nothing an
 * amendment decides depends on the record being absent. Units that amend lock what they were decided on.
 *
 * Every statement here is a look-up by index. The planner of an empty database does not know that yet and would keep
 * plans that read whole tables, long after they have grown; so it is told, and plans each statement once.
 *
 * The limits keep a host that hangs from holding the locks of others.
 */
export const SESSION = `
SET default_transaction_isolation = 'read committed';
SET enable_seqscan = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET plan_cache_mode = force_generic_plan;
SET jit = off;
SET statement_timeout = '30s';
SET idle_in_transaction_session_timeout = '10s';
`

// Checked on every new connection, since a role or an address can carry a setting of its own.
async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(SESSION)
  const waits = await setting(client, 'synchronous_commit')
  if (waits !== 'on' && waits !== 'remote_apply')
    throw new StoreError(
      'notDurable',
      `PostgreSQL is set to synchronous_commit=${waits}, which acknowledges what a failure can take back; set it to on`,
    )
}

async function checkServer(client: pg.ClientBase, allowFsyncOff: boolean): Promise<void> {
  if ((await setting(client, 'fsync')) !== 'on' && !allowFsyncOff)
    throw new StoreError('notDurable', 'PostgreSQL runs with fsync=off, which loses data in a power failure')
  const encoding = await setting(client, 'server_encoding')
  if (encoding !== 'UTF8')
    throw new StoreError('foreign', `the database is encoded in ${encoding}; it must be UTF8`)
}

async function setting(client: pg.ClientBase, name: string): Promise<string> {
  const { rows } = await client.query<{ value: string }>('SELECT current_setting($1) AS value', [name])
  return rows[0]?.value ?? ''
}

// Several hosts may start at once; the lock lets one of them at a time look and change. A step takes as long as the data is
// large, and whoever waits for the lock waits as long.
async function migrate(client: pg.ClientBase): Promise<void> {
  const unhurried = { query_timeout: MIGRATION_MS_MAX }
  await client.query('BEGIN')
  await client.query(`SET LOCAL statement_timeout = ${MIGRATION_MS_MAX}`)
  await client.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [MIGRATION_LOCK], ...unhurried })
  await client.query(migrationTable)
  const { rows } = await client.query<{ number: number; checksum: string }>(
    'SELECT number, checksum FROM migrations ORDER BY number',
  )
  for (const migration of pendingMigrations(postgresMigrations, rows)) {
    await client.query({ text: migration.sql, ...unhurried })
    await client.query('INSERT INTO migrations (number, checksum) VALUES ($1, $2)', [
      migration.number,
      migrationChecksum(migration),
    ])
  }
  await client.query('COMMIT')
}

const MIGRATION_MS_MAX = 6 * 3_600_000

/** Any number that other users of the same database are unlikely to lock: "clavig" in ASCII. */
const MIGRATION_LOCK = 0x63_6c_61_76_69_67

const INT8 = 20

// Whole numbers come as numbers: all of ours are below 2^53.
function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format)
}
