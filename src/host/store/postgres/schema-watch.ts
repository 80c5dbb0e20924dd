import pg from 'pg'
import { APPLIED, type AppliedMigration, appliedMigration, checkApplied } from '../migrations.ts'
import { checkColumns } from './columns.ts'
import { explained } from './errors.ts'
import type { Pool } from './pool.ts'
import { postgresMigrations } from './schema.ts'
import { StoreError } from '../store-error.ts'

/**
 * @throws StoreError `foreign` when the data has steps that this version may not run beside, or its columns are other
 *         ones
 */
export async function checkSchema(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  checkApplied(postgresMigrations, await appliedTo(client))
  await checkColumns(client)
}

/** The steps that were taken. Not prepared: a newer version may add to what there is to read. */
export async function appliedTo(client: Pick<pg.ClientBase, 'query'>): Promise<readonly AppliedMigration[]> {
  return (await client.query(APPLIED)).rows.map(appliedMigration)
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
 * Looks now and then whether this version may still use the data, and whether they were moved. A newer host may bring
 * the schema further than this one may run beside, and somebody may alter the tables by hand.
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

/**
 * Our statements are always the same: what PostgreSQL finds wrong with one (class 42), or with its old plan (0A), has
 * another cause. So have values of another type.
 */
function isOfSchema(error: unknown): boolean {
  if (error instanceof StoreError) return error.kind === 'foreign'
  return error instanceof pg.DatabaseError && /^(42|0A)/.test(error.code ?? '')
}
