import type { DatabaseSync } from 'node:sqlite'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { RecordTexts } from '../record-texts.ts'

export type SqliteRecords = {
  /** The form in which a record is stored, inside a transaction and outside what of it may be undone by itself. */
  readonly compact: (row: ActivityRow) => ActivityRow
  /** The record as it was sealed. */
  readonly expand: (stored: ActivityRow) => ActivityRow
  /** A transaction was undone. */
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
 * Writes every record whole: what stands in the tables then follows from what was done, and not from what a process
 * remembers.
 */
export function wholeRecords(db: DatabaseSync): SqliteRecords {
  return { ...sqliteRecords(db), compact: (row) => row }
}
