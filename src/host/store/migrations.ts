import { createHash } from 'node:crypto'
import { StoreError } from './store-error.ts'

/** One step from an older schema to a newer one. Once released its text is never changed: the checksum would tell. */
export type Migration = { readonly number: number; readonly name: string; readonly sql: string }

export type AppliedMigration = { readonly number: number; readonly checksum: string }

/**
 * The steps that data still needs, in order. There is no way back: data of a newer version is refused, because what that
 * version wrote may mean something that this one cannot see.
 *
 * @throws StoreError `foreign` when the data knows steps that we do not, or other ones under the same numbers
 */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  for (const { number, checksum } of applied) {
    const migration = known.find((candidate) => candidate.number === number)
    if (migration === undefined)
      throw new StoreError(
        'foreign',
        `this data was written by a newer version of Claviger (its schema is at step ${number}, this version knows ${known.length}); run that version or a later one`,
      )
    if (migrationChecksum(migration) !== checksum)
      throw new StoreError(
        'foreign',
        `step ${number} (${migration.name}) of this data's schema is not the one of this version; it was altered by hand or written by a development version`,
      )
  }
  const done = new Set(applied.map((migration) => migration.number))
  return known.filter((migration) => !done.has(migration.number))
}

/** SHA-256 of the step's text, as 64 hex digits. */
export function migrationChecksum(migration: Migration): string {
  return createHash('sha256').update(migration.sql).digest('hex')
}
