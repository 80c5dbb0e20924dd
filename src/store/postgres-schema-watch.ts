import type pg from 'pg'
import { type AppliedMigration, pendingMigrations } from './migrations.ts'
import type { Pool } from './postgres-pool.ts'
import { postgresMigrations } from './postgres-schema.ts'
import { StoreError } from './store-error.ts'

/** @throws StoreError `foreign` when the data knows steps that this version does not */
export async function checkSchema(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<AppliedMigration>(APPLIED)
  pendingMigrations(postgresMigrations, rows)
}

export type SchemaWatch = {
  /** Why nothing may be written any more. */
  readonly refusal: () => StoreError | undefined
  readonly stop: () => void
}

/**
 * Looks now and then whether the data is still of this version. A newer host may bring it further while this one runs, and what
 * that one writes may mean something that this one cannot see.
 */
export function watchSchema(pool: Pool, everyMs: number): SchemaWatch {
  let refusal: StoreError | undefined
  const look = async (): Promise<void> => {
    try {
      await pool.lend(checkSchema)
      refusal = undefined
    } catch (error) {
      // A database that does not answer says nothing about its schema; those who read and write meet that themselves.
      if (error instanceof StoreError && error.kind === 'foreign') refusal = error
    }
  }
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return { refusal: () => refusal, stop: () => clearInterval(timer) }
}

const APPLIED = {
  name: 'applied migrations',
  text: 'SELECT number, checksum FROM migrations ORDER BY number',
}
