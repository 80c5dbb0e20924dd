import type { DatabaseSync } from 'node:sqlite'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { RecordTexts } from '../record-texts.ts'

export type SqliteRecords = {
  /**
   * The form in which a record is stored; called inside a transaction, but outside a savepoint that may be undone
   * alone.
   */
  readonly compact: (row: ActivityRow) => ActivityRow
  /** The record as it was sealed. */
  readonly expand: (stored: ActivityRow) => ActivityRow
  /** A transaction was rolled back. */
  readonly forget: () => void
}

export function sqliteRecords(db: DatabaseSync): SqliteRecords {
  const texts = new RecordTexts()
  const put = db.prepare(
    'INSERT OR IGNORE INTO record_texts (organization_id, digest, body) VALUES (?, ?, ?)',
  )
  const read = db.prepare('SELECT body FROM record_texts WHERE organization_id = ? AND digest = ?')
  const bodyOf = (organizationId: string, digest: string): string | undefined => {
    const body = read.get(organizationId, digest)?.['body']
    return body === undefined ? undefined : String(body)
  }
  return {
    compact: (row) =>
      texts.compactNow(row, (wanted) =>
        wanted.map(({ organizationId, digest, body }) => {
          put.run(organizationId, digest, body)
          return { organizationId, digest, body: bodyOf(organizationId, digest) ?? '' }
        }),
      ),
    expand: (stored) =>
      texts.expandNow(stored, ({ organizationId, digest }) => bodyOf(organizationId, digest)),
    forget: texts.forget,
  }
}

/**
 * Writes every record whole: the content of the tables then follows from the calls, and not from the memory of a
 * process.
 */
export function wholeRecords(db: DatabaseSync): SqliteRecords {
  return { ...sqliteRecords(db), compact: (row) => row }
}
