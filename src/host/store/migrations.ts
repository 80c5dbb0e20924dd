import { createHash } from 'node:crypto'
import { oldestReaderOf, type SchemaStep, schemaSteps } from './schema-step.ts'
import { StoreError } from './store-error.ts'

/** One step from an older schema to a newer one. Once released its text is never changed: the checksum would tell. */
export type Migration = SchemaStep & { readonly sql: string }

/** The steps with the SQL of one engine, a text for each. */
export function migrationsOf(sql: readonly string[]): readonly Migration[] {
  return schemaSteps.map((step, at) => ({ ...step, sql: sql[at] ?? '' }))
}

/** A step as the data say that it was taken. */
export type AppliedMigration = {
  readonly number: number
  readonly checksum: string
  /** The number of the oldest schema whose hosts may run beside the step; null where the step says nothing of it. */
  readonly oldestReader: number | null
}

/** What is read of the steps that were taken. Which columns there are depends on how many were. */
export const APPLIED = 'SELECT * FROM migrations ORDER BY number'

/** A row of the above. */
export function appliedMigration(row: { readonly [column: string]: unknown }): AppliedMigration {
  const { number, checksum, oldest_reader: oldest = null } = row
  return {
    number: Number(number),
    checksum: String(checksum),
    oldestReader: oldest === null ? null : Number(oldest),
  }
}

/** The row that notes a step, in the order of `NOTED`. */
export function notedMigration(
  known: readonly Migration[],
  migration: Migration,
): [number: number, checksum: string, oldestReader: number] {
  return [migration.number, migrationChecksum(migration), oldestReaderOf(known, migration)]
}

export const NOTED = 'number, checksum, oldest_reader'

/**
 * The steps that data still needs, in order. There is no way back.
 *
 * @throws StoreError as `checkApplied`
 */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  checkApplied(known, applied)
  const done = new Set(applied.map((migration) => migration.number))
  return known.filter((migration) => !done.has(migration.number))
}

/**
 * Sees that this version may read and write the data. Steps of a newer version are fine where they say so: what that
 * version wrote may else mean something that this one cannot see.
 *
 * @throws StoreError `foreign` when the data knows newer steps that do not say so, or other ones under the same numbers
 */
export function checkApplied(known: readonly Migration[], applied: readonly AppliedMigration[]): void {
  for (const { number, checksum, oldestReader } of applied) {
    const migration = known.find((candidate) => candidate.number === number)
    if (migration === undefined) {
      if (oldestReader !== null && oldestReader <= known.length) continue
      throw new StoreError(
        'foreign',
        `this data was written by a newer version of Claviger (its schema is at step ${number}, this version knows ${known.length}); run that version or a later one`,
      )
    }
    if (migrationChecksum(migration) !== checksum)
      throw new StoreError(
        'foreign',
        `step ${number} (${migration.name}) of this data's schema is not the one of this version; it was altered by hand or written by a development version`,
      )
  }
}

/**
 * Whoever reads all data has to know all of it: a copy would lack what newer steps have added.
 *
 * @throws StoreError `foreign`
 */
export function refuseNewer(known: readonly Migration[], applied: readonly AppliedMigration[]): void {
  const newest = Math.max(0, ...applied.map(({ number }) => number))
  if (newest > known.length)
    throw new StoreError(
      'foreign',
      `this data has what a newer version of Claviger added (its schema is at step ${newest}, this version knows ${known.length}); use the command of that version`,
    )
}

/** SHA-256 of the step's text, as 64 hex digits. */
export function migrationChecksum(migration: Pick<Migration, 'sql'>): string {
  return createHash('sha256').update(migration.sql).digest('hex')
}
