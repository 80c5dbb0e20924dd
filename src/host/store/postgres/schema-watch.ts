import pg from 'pg'
import { APPLIED, type AppliedMigration, appliedMigration, checkApplied } from '../migrations.ts'
import { checkColumns } from './columns.ts'
import { asStoreError } from './errors.ts'
import type { Pool } from './pool.ts'
import { postgresMigrations } from './schema.ts'
import { StoreError } from '../store-error.ts'

/** @throws StoreError `foreign` if the data has steps beside which this version may not run, or different columns */
export async function checkSchema(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  checkApplied(postgresMigrations, await appliedTo(client))
  await checkColumns(client)
}

/** The applied steps. The statement is not prepared, because a newer version may add columns. */
export async function appliedTo(client: Pick<pg.ClientBase, 'query'>): Promise<readonly AppliedMigration[]> {
  return (await client.query(APPLIED)).rows.map(appliedMigration)
}

export type SchemaWatch = {
  /** The reason why no writes are permitted any more. */
  readonly refusal: () => StoreError | undefined
  /** Checks now. */
  readonly look: () => Promise<void>
  /** An error in our words; if it comes from altered tables, it says so. */
  readonly asStoreError: (error: unknown) => Promise<unknown>
  readonly stop: () => void
}

/**
 * Checks from time to time whether this version may still use the data, and whether the data was moved. A newer host
 * may bring the schema to a step beside which this one may not run, and an operator may alter the tables by hand.
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
      // A database that does not answer says nothing about its schema; readers and writers meet this error themselves.
      if (error instanceof StoreError && error.kind === 'foreign') refusal = error
    }
  }
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return {
    refusal: () => refusal,
    look,
    asStoreError: async (error) => {
      if (!isOfSchema(error)) return asStoreError(error)
      await look()
      return refusal ?? asStoreError(error)
    },
    stop: () => clearInterval(timer),
  }
}

/**
 * Our statements never change: an error in one (class 42), or in its old plan (0A), comes from changed tables, and so
 * do values of another type.
 */
function isOfSchema(error: unknown): boolean {
  if (error instanceof StoreError) return error.kind === 'foreign'
  return error instanceof pg.DatabaseError && /^(42|0A)/.test(error.code ?? '')
}
