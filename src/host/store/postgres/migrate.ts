import pg from 'pg'
import { type Migration, NOTED, notedMigration, pendingMigrations } from '../migrations.ts'
import { migrationTable, postgresMigrations } from './schema.ts'
import { appliedTo } from './schema-watch.ts'
import { StoreError } from '../store-error.ts'

type Client = Pick<pg.ClientBase, 'query'>

/**
 * Brings the tables to this version. Several hosts may start at once; with the lock, only one of them at a time checks
 * and changes the schema. The time of a step grows with the data, and a host that waits for the lock waits as long.
 *
 * @throws StoreError `inUse` if hosts of an earlier version have to stop first
 */
export async function migrate(client: Client): Promise<void> {
  await client.query('BEGIN')
  await client.query(`SET LOCAL statement_timeout = ${MIGRATION_MS_MAX}`)
  await client.query(unhurried('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]))
  await client.query(migrationTable)
  const pending = pendingMigrations(postgresMigrations, await appliedTo(client))
  const contract = pending.find(({ kind }) => kind === 'contract')
  if (contract !== undefined) await refuseBeside(client, contract)
  // Every user of a table would wait behind a step that waits for it.
  await client.query(`SET LOCAL lock_timeout = ${TABLE_MS_MAX}`)
  for (const { sql } of pending) await taken(client, sql)
  for (const migration of pending)
    await client.query(
      `INSERT INTO migrations (${NOTED}) VALUES ($1, $2, $3)`,
      notedMigration(postgresMigrations, migration),
    )
  await client.query('COMMIT')
}

/**
 * Shows other hosts, for as long as this connection lasts, that a host uses the data. This is forbidden during a
 * contract step, so a connection has to check the schema afterwards.
 */
export async function holdHostLock(client: Client): Promise<void> {
  try {
    await client.query('SELECT pg_advisory_lock_shared($1)', [HOSTS_LOCK])
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== QUERY_CANCELED) throw error
    const { rows } = await client.query<{ role: string; pid: number }>(HOLDERS, [HOSTS_LOCK])
    if (rows.length === 0) throw error
    const held = rows.map(({ role, pid }) => `role ${role}, process ${pid}`).join('; ')
    throw new StoreError(
      'unavailable',
      `the lock by which hosts show that they are connected is held: ${held}; wait for the end of a restore, a move or an upgrade; if there is none, end what holds it, and see who may connect to the database`,
      { cause: error },
    )
  }
}

async function refuseBeside(client: Client, { number, name }: Migration): Promise<void> {
  const others = await othersConnected(client)
  if (others === undefined) return
  throw new StoreError(
    'inUse',
    `step ${number} (${name}) of the schema permits no host of an older version beside it, and ${others}: ` +
      'stop all of them, then start this version; claviger upgrade --check lists the hosts',
  )
}

/**
 * Keeps hosts out until the end of this transaction, if none is connected. The server itself knows by the lock which
 * hosts are connected, without a clock and without a note.
 *
 * @returns  words about those that are connected
 */
export async function othersConnected(client: Client): Promise<string | undefined> {
  // The server sees the end of a stopped host's connection a moment later.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { rows } = await client.query<{ alone: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS alone', [
      HOSTS_LOCK,
    ])
    if (rows[0]?.alone === true) return undefined
    await client.query('SELECT pg_sleep(0.1)')
  }
  const { rows } = await client.query<{ address: string }>(CONNECTED, [HOSTS_LOCK])
  const from = rows.length === 0 ? '' : ` (from ${rows.map(({ address }) => address).join(', ')})`
  return `hosts or commands are connected${from}`
}

const CONNECTED = `SELECT DISTINCT coalesce(host(client_addr), 'this machine') AS address
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND mode = 'ShareLock' AND (classid::bigint << 32) + objid::bigint = $1 ORDER BY 1 LIMIT 20`

/** Every role that may connect can hold any advisory lock. */
const HOLDERS = `SELECT usename AS role, pid FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND mode = 'ExclusiveLock' AND (classid::bigint << 32) + objid::bigint = $1 ORDER BY granted DESC, pid LIMIT 5`

async function taken(client: Client, sql: string): Promise<void> {
  try {
    await client.query(unhurried(sql))
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error
    throw new StoreError(
      'unavailable',
      'a transaction that lasts holds a table which the schema of this version changes: wait for its end (a backup may run), then start again',
      { cause: error },
    )
  }
}

function unhurried(text: string, values: unknown[] = []): pg.QueryConfig {
  // Not known to the declarations of the package.
  return Object.assign({ text, values }, { query_timeout: MIGRATION_MS_MAX })
}

const ATTEMPTS = 20
const MIGRATION_MS_MAX = 6 * 3_600_000
const TABLE_MS_MAX = 5_000
const LOCK_NOT_AVAILABLE = '55P03'
const QUERY_CANCELED = '57014'

/** A number that other users of the same database are unlikely to lock: "clavig" in ASCII. */
const MIGRATION_LOCK = 0x63_6c_61_76_69_67
/** Shared by the connections of all hosts, and exclusive during a contract step, a restore or a move. */
const HOSTS_LOCK = MIGRATION_LOCK + 1
