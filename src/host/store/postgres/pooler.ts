import pg from 'pg'
import { POOL_NAME } from './pool.ts'
import { StoreError } from '../store-error.ts'

type Another = {
  /** Of the same server. */
  readonly address: string
  readonly connectMs: number
  readonly name: string | undefined
}

/**
 * Refuses a connection pooler that lends one server session to several clients in turn, like PgBouncer in transaction
 * mode: clients would share prepared statements and settings. A pooler with a session for each client is accepted.
 *
 * @param another  a second connection
 * @throws StoreError `foreign`
 */
export async function refuseSharedSessions(
  client: Pick<pg.ClientBase, 'query'>,
  another: Another,
): Promise<void> {
  // A pooler names another process than the one that answers.
  if ((await backendOf(client)) === Number(Reflect.get(client, 'processID'))) return
  if (await isShared(client, another))
    throw new StoreError(
      'foreign',
      'a connection pooler shares sessions of the database between its clients, such as PgBouncer with pool_mode=transaction; ' +
        'set pool_mode=session for the database of Claviger, or connect to the database itself',
    )
}

async function isShared(
  client: Pick<pg.ClientBase, 'query'>,
  { address, connectMs, name = POOL_NAME }: Another,
): Promise<boolean> {
  const other = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: connectMs,
    query_timeout: connectMs,
    application_name: name,
  })
  other.on('error', () => undefined)
  try {
    await other.connect()
    // A pooler lends first the session that was returned last, or the one that was returned first. If two sessions take
    // turns, two clients that ask in turn get the same ones again and again, so the other client asks more often each
    // time.
    for (let times = 1; times <= TIMES_MAX; times++) {
      const mine = await backendOf(client)
      for (let asked = 0; asked < times; asked++) if ((await backendOf(other)) === mine) return true
      if ((await backendOf(client)) !== mine) return true
    }
    return false
  } finally {
    await other.end()
  }
}

/** More than two, since the session may be lent to others in between. */
const TIMES_MAX = 5

async function backendOf(client: Pick<pg.ClientBase, 'query'>): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid
}
