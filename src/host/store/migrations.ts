import { createHash } from 'node:crypto'
import { oldestReaderOf, type SchemaStep, schemaSteps } from './schema-step.ts'
import { StoreError } from './store-error.ts'

/**
 * One step from an older schema to a newer one. The text of a released step never changes: the checksum would show it.
 */
export type Migration = SchemaStep & { readonly sql: string }

/** The steps, each with the SQL text of one engine. */
export function migrationsOf(sql: readonly string[]): readonly Migration[] {
  return schemaSteps.map((step, at) => ({ ...step, sql: sql[at] ?? '' }))
}

/** A step that was applied, according to the data. */
export type AppliedMigration = {
  readonly number: number
  readonly checksum: string
  /** The number of the oldest schema whose hosts may run beside the step; null if the step does not say. */
  readonly oldestReader: number | null
}

/** The columns that are read of applied steps. The existing columns depend on the number of these steps. */
export const APPLIED = 'SELECT * FROM migrations ORDER BY number'

/** A row of these columns. */
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
 * The steps that the data still needs, in order. There is no way back.
 *
 * @throws StoreError like `checkApplied`
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
 * Checks that this version may read and write the data. Steps of a newer version are accepted if they say so; otherwise
 * the newer version may have written values with a meaning that this one does not know.
 *
 * @throws StoreError `foreign` if the data has newer steps that do not say so, or different steps under the same
 *         numbers
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
 * A reader of all data has to know the whole schema: a copy would lack the additions of newer steps.
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

/**
 * A reader changes nothing, so the tables have to be those of this version already.
 *
 * @param where  the name of the data in the message
 * @throws StoreError `foreign`
 */
export function refuseOlder(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
  where: string,
): void {
  const older = olderError(known, applied, where)
  if (older !== undefined) throw older
}

/**
 * The same error, for a command that also reports what else it finds.
 *
 * @throws StoreError like `checkApplied`
 */
export function olderError(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
  where: string,
): StoreError | undefined {
  if (pendingMigrations(known, applied).length === 0) return undefined
  return new StoreError(
    'foreign',
    `${where} is of an older version: start the service of this version on it once`,
  )
}

/** SHA-256 of the step's text, as 64 hex digits. */
export function migrationChecksum(migration: Pick<Migration, 'sql'>): string {
  return createHash('sha256').update(migration.sql).digest('hex')
}
