import type { Socket } from 'node:net'
import pg from 'pg'
import { withoutWarning } from './without-warning.ts'
import { isRefusal, isStalePlan, notConnected, READ_ONLY } from './errors.ts'
import type { PoolLoad } from '../store.ts'
import type { Servers } from './servers.ts'

export type Statement = {
  readonly name?: string
  readonly text: string
  readonly values?: unknown[]
}

export type Pool = {
  /**
   * Lends a connection to a piece of work. A connection that broke, has stale plans, or leads to a server without
   * writes is not lent again.
   */
  readonly lend: <Result>(work: (client: pg.ClientBase) => Promise<Result>) => Promise<Result>
  readonly read: <Row extends pg.QueryResultRow>(statement: Statement) => Promise<pg.QueryResult<Row>>
  /** One statement that is a transaction of its own. */
  readonly write: <Row extends pg.QueryResultRow>(statement: Statement) => Promise<pg.QueryResult<Row>>
  readonly load: () => Omit<PoolLoad, 'pool'>
  readonly end: () => Promise<void>
}

type PoolOptions = {
  /** The name under which PostgreSQL shows its connections. It begins with `POOL_NAME`, by which they are counted. */
  readonly name?: string | undefined
  readonly servers: Servers
  readonly connectionsMax: number
  /** The time for connecting, and for waiting for a connection that is in use. */
  readonly connectMs: number
  readonly statementMs: number
  /** Prepares a new connection for use, or throws. */
  readonly prepare: (client: pg.ClientBase, socket: Socket | undefined) => Promise<void>
}

export const POOL_NAME = 'claviger'

/**
 * A connection can be idle for hours. A firewall would forget it sooner than the two hours after which Linux probes
 * one, and the next call on it would have no answer until its time limit.
 */
const PROBED_AFTER_MS = 30_000

/** What `pg` says when no connection became free in time. Of a server that does not answer it says another thing. */
const WAITED = 'timeout exceeded when trying to connect'

export function openPool({
  name = POOL_NAME,
  servers,
  connectionsMax,
  connectMs,
  statementMs,
  prepare,
}: PoolOptions): Pool {
  const sockets = new WeakMap<pg.ClientBase, Socket>()
  const pool = new pg.Pool({
    Client: clientOf(servers, sockets),
    max: connectionsMax,
    application_name: name,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBED_AFTER_MS,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 0,
    // Longer than the server's own limit, so only a dead connection reaches it.
    query_timeout: statementMs + 10_000,
    types: { getTypeParser },
    onConnect: (client) => prepare(client, sockets.get(client)),
  })
  // An idle connection that breaks is dropped and a later query opens another; without a listener the event would end
  // the process.
  pool.on('error', () => undefined)

  const connect = async (): Promise<pg.PoolClient> => {
    for (let tried = 1; ; tried++) {
      const address = servers.current()
      try {
        return await pool.connect()
      } catch (error) {
        // The server is at work for others, and another one would not be faster.
        if (error instanceof Error && error.message === WAITED) throw notConnected(error)
        servers.pass(address)
        if (tried >= servers.addresses.length) throw notConnected(error)
      }
    }
  }

  const lend: Pool['lend'] = async (work) => {
    const client = await connect()
    let broken: Error | undefined
    const onError = (error: Error): void => {
      broken = error
    }
    client.on('error', onError)
    try {
      return await work(client)
    } catch (error) {
      if (!isRefusal(error) || error.code === READ_ONLY || isStalePlan(error))
        broken ??= error instanceof Error ? error : new Error(String(error))
      throw error
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

  // The plan of every connection may be stale, and each such connection is replaced.
  const lendForOne: Pool['lend'] = async (work) => {
    for (let tried = 1; ; tried++) {
      try {
        return await lend(work)
      } catch (error) {
        if (!isStalePlan(error) || tried > connectionsMax) throw error
      }
    }
  }

  return {
    lend,
    read: (statement) => lendForOne((client) => client.query(statement)),
    write: (statement) => lendForOne((client) => withoutWarning(client, () => client.query(statement))),
    load: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    end: () => pool.end(),
  }
}

/** A pool makes its connections of a class; the server is only known when a connection is made. */
function clientOf(where: Servers, sockets: WeakMap<pg.ClientBase, Socket>): new () => pg.Client {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      const socket = where.socket()
      super({ ...config, connectionString: where.current(), stream: () => socket })
      sockets.set(this, socket)
    }
  }
}

const INT8 = 20

// Whole numbers are returned as numbers: all of ours are below 2^53.
function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format)
}
