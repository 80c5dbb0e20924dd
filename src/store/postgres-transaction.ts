import pg from 'pg'

/** What a transaction came to, and whether it is to be kept. */
export type Outcome<Result> = { readonly keep: boolean; readonly result: Result }

/**
 * Runs a transaction of its own, on one connection. Where hosts wait for each other in a circle PostgreSQL breaks it, and
 * the transaction is tried again.
 */
export async function inTransaction<Result>(
  pool: pg.Pool,
  body: (client: pg.ClientBase) => Promise<Outcome<Result>>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce(pool, body)
    } catch (error) {
      if (!isTransient(error) || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

const ATTEMPTS_MAX = 10

async function attemptOnce<Result>(
  pool: pg.Pool,
  body: (client: pg.ClientBase) => Promise<Outcome<Result>>,
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  const onError = (error: Error): void => {
    broken = error
  }
  client.on('error', onError)
  try {
    await client.query('BEGIN')
    const { keep, result } = await body(client)
    await client.query(keep ? 'COMMIT' : 'ROLLBACK')
    return result
  } catch (error) {
    if (error instanceof pg.DatabaseError) await client.query('ROLLBACK').catch(onError)
    else broken ??= error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

const DEADLOCK = '40P01'
const SERIALIZATION_FAILURE = '40001'

function isTransient(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError && (error.code === DEADLOCK || error.code === SERIALIZATION_FAILURE)
  )
}
