import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { present } from '../../src/trusted/base/assert.ts'
import type { ActivityRow } from '../../src/trusted/catalogue/unit.ts'
import { activityColumns, fieldList } from '../../src/host/store/columns.ts'
import { sqliteRecords } from '../../src/host/store/sqlite/records.ts'

/** The record as it was sealed, whatever form it is stored in. */
export function recordIn(db: DatabaseSync, where: string, ...values: SQLInputValue[]): ActivityRow {
  const found = db
    .prepare(`SELECT ${fieldList(activityColumns)} FROM activities WHERE ${where}`)
    .get(...values)
  // The table is STRICT, and its columns are read under the names of the fields.
  return sqliteRecords(db).expand({ ...present(found, where) } as ActivityRow)
}

/** Stores it in the form that records had before there was any other. */
export function putPlain(db: DatabaseSync, { activityId, votes, evaluations }: ActivityRow): void {
  db.prepare('UPDATE activities SET votes = ?, evaluations = ? WHERE activity_id = ?').run(
    votes,
    evaluations,
    activityId,
  )
}
