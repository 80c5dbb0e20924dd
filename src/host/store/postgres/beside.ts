import { withCommandPool } from './command-pool.ts'
import { inOurWords } from './errors.ts'
import type { Pool } from './pool.ts'

const WAIT_MS = 10_000

/**
 * The view of a command on a database with running services, over one connection that ends with it.
 *
 * @param name  of the connection, in `pg_stat_activity`
 * @throws StoreError `unavailable` if there is no answer within ten seconds
 */
export async function besidePostgres<Result>(
  url: string,
  look: (pool: Pool) => Promise<Result>,
  { name, connectMs = WAIT_MS }: { readonly name?: string; readonly connectMs?: number } = {},
): Promise<Result> {
  const terms = { name, connectMs, statementMs: WAIT_MS, isReading: true }
  return await withCommandPool(url, terms, async (pool) => await inOurWords(() => look(pool)))
}
