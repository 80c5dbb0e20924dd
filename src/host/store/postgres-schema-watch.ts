import pg from 'pg'
import { type AppliedMigration, pendingMigrations } from './migrations.ts'
import { checkColumns } from './postgres-columns.ts'
import { explained } from './postgres-errors.ts'
import type { Pool } from './postgres-pool.ts'
import { postgresMigrations } from './postgres-schema.ts'
import { StoreError } from './store-error.ts'

/** @throws StoreError `foreign` when the data knows steps that this version does not, or its columns are other ones */
export async function checkSchema(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<AppliedMigration>(APPLIED)
  pendingMigrations(postgresMigrations, rows)
  await checkColumns(client)
}

export type SchemaWatch = {
  /** Why nothing may be written any more. */
  readonly refusal: () => StoreError | undefined
  /** Looks now. */
  readonly look: () => Promise<void>
  /** An error in our words: what altered tables have led to is said to be that. */
  readonly explained: (error: unknown) => Promise<unknown>
  readonly stop: () => void
}

/**
 * Looks now and then whether the data is still of this version, and was not moved. A newer host may bring it further while this one runs, and what
 * that one writes may mean something that this one cannot see; and somebody may alter the tables by hand.
 */
export function watchSchema(
  pool: Pool,
  check: (client: Pick<pg.ClientBase, 'query'>) => Promise<void>,
  everyMs: number,
): SchemaWatch {
  let refusal: StoreError | undefined
  const look = async (): Promise<void> => {
    try {
      await pool.lend(check)
      refusal = undefined
    } catch (error) {
      // A database that does not answer says nothing about its schema; those who read and write meet that themselves.
      if (error instanceof StoreError && error.kind === 'foreign') refusal = error
    }
  }
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return {
    refusal: () => refusal,
    look,
    explained: async (error) => {
      if (!isOfSchema(error)) return explained(error)
      await look()
      return refusal ?? explained(error)
    },
    stop: () => clearInterval(timer),
  }
}

/** Our statements are always the same: what PostgreSQL finds wrong with one (class 42), or with its old plan (0A), has another cause. */
function isOfSchema(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(42|0A)/.test(error.code ?? '')
}

const APPLIED = {
  name: 'applied migrations',
  text: 'SELECT number, checksum FROM migrations ORDER BY number',
}
