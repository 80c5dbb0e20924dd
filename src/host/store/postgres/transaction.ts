import pg from 'pg'
import { Bug } from '../../../trusted/base/assert.ts'
import { withoutWarning } from './without-warning.ts'
import { isStalePlan, READ_ONLY } from './errors.ts'
import type { Pool } from './pool.ts'

/** The result of a transaction, and whether it should be committed. */
type Outcome<Result> = { readonly keep: boolean; readonly result: Result }

/**
 * Runs a transaction on one connection. If hosts wait for each other in a circle, PostgreSQL breaks it, and the
 * transaction is tried again. It is also tried again if the server has become a standby, since another one may be the
 * primary now.
 *
 * @throws StoreError `unavailable` if it is unknown whether the transaction was committed
 */
export async function inTransaction<Result>(
  pool: Pool,
  body: (client: pg.ClientBase) => Promise<Outcome<Result>>,
): Promise<Result> {
  return await inPreparedTransaction(pool, async () => undefined, body)
}

/** The same, after work on the connection of the transaction that commits by itself. */
export async function inPreparedTransaction<Ready, Result>(
  pool: Pool,
  prepare: (client: pg.ClientBase) => Promise<Ready>,
  body: (client: pg.ClientBase, ready: Ready) => Promise<Outcome<Result>>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.lend(async (client) => {
        const ready = await prepare(client)
        return await attemptOnce(client, async () => await body(client, ready))
      })
    } catch (error) {
      if (!isTransient(error) || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

const ATTEMPTS_MAX = 10

async function attemptOnce<Result>(
  client: pg.ClientBase,
  body: () => Promise<Outcome<Result>>,
): Promise<Result> {
  try {
    await client.query(BEGIN)
    const { keep, result } = await body()
    if (!keep) await client.query('ROLLBACK')
    else await withoutWarning(client, () => committed(client))
    return result
  } catch (error) {
    // If even the rollback fails, the connection is gone, and reports this itself.
    if (error instanceof pg.DatabaseError) await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

// A trigger that is deferred to the end of the transaction would run after the unit was read back.
const BEGIN = 'BEGIN; SET CONSTRAINTS ALL IMMEDIATE'

/** PostgreSQL answers the COMMIT of a failed transaction with a ROLLBACK instead of an error. */
async function committed(client: pg.ClientBase): Promise<void> {
  const { command } = await client.query('COMMIT')
  if (command !== 'COMMIT') throw new Bug(`a transaction ended with ${command}`)
}

const TRANSIENT = new Set(['40P01', '40001', READ_ONLY])

/** A deadlock, a serialization failure, a stale plan, or a server that takes no writes any more. */
function isTransient(error: unknown): boolean {
  return isStalePlan(error) || (error instanceof pg.DatabaseError && TRANSIENT.has(error.code ?? ''))
}
