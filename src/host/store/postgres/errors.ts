import pg from 'pg'
import { StoreError } from '../store-error.ts'

/** SQLSTATE of a write on a server that has become a standby. */
export const READ_ONLY = '25006'

/**
 * An error of the driver in our words. A refusal of PostgreSQL itself is passed on unchanged: then nothing was written.
 * Any other error means that the connection is gone, together with the answer to the work under way.
 */
export function asStoreError(error: unknown): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error
  if (isShortage(error))
    return new StoreError('unavailable', `PostgreSQL could not do it now (${error.message})`, {
      cause: error,
    })
  if (isStalePlan(error))
    return new StoreError('unavailable', `the tables are being altered (${error.message})`, { cause: error })
  if (isRefusal(error)) return error
  return new StoreError(
    'unavailable',
    `no answer from PostgreSQL (${error.message}); whether what was under way took effect is unknown`,
    { cause: error },
  )
}

/**
 * The reason why there is no connection, in our words. If the server answers and refuses the role or the database, an
 * operator has to change something, and another try would not help.
 */
export function notConnected(error: unknown): unknown {
  // Class 28 is about roles and passwords, class 3D about a database that does not exist.
  if (error instanceof pg.DatabaseError && /^(28|3D)/.test(error.code ?? ''))
    return new StoreError('foreign', `PostgreSQL refuses the connection: ${error.message}`, { cause: error })
  return asStoreError(error)
}

/** Runs work on PostgreSQL, and throws its errors in our words. */
export async function inOurWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw asStoreError(error)
  }
}

/**
 * Whether PostgreSQL answered and nothing was written. This is false for lost connections (class 08), shutdowns (57P),
 * and results that PostgreSQL itself calls unknown (40003, statement completion unknown).
 */
export function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !/^(08|57P|40003)/.test(error.code ?? '08')
}

/**
 * A statement that was prepared on this connection before its tables were altered: it was not executed, and cannot be
 * on this connection. The text of the error is in the language of the server.
 */
export function isStalePlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery'
}

/** Out of resources or time (class 53, 57014, 55P03), or sent to a standby: a later attempt may succeed. */
function isShortage(error: Error): boolean {
  return error instanceof pg.DatabaseError && /^(53|57014|55P03|25006)/.test(error.code ?? '')
}
