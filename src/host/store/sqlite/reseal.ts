import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { isRowWith, type NewSeal, SEALED_TABLES } from '../resealing.ts'
import { shapeOf } from '../scan.ts'
import type { Store } from '../store.ts'

/** Writes seals inside a batch, each only if the row still has the one to replace; returns their number. */
export function sqliteReseal(db: DatabaseSync): (seals: readonly NewSeal[]) => number {
  const updates = new Map(
    SEALED_TABLES.map((table) => [
      table,
      db.prepare(`UPDATE ${shapeOf(table).name} SET seal = ? WHERE ${isRowWith(table, () => '?')}`),
    ]),
  )
  return (seals) => {
    let written = 0
    for (const { table, key, from, to } of seals) {
      const values: SQLInputValue[] = [to, ...key, from]
      written += Number(updates.get(table)?.run(...values).changes ?? 0)
    }
    return written
  }
}

/** Removes activities inside a batch, each only if it still has this seal; returns their number. */
export function sqliteRemoveActivities(
  db: DatabaseSync,
): (...given: Parameters<Store['removeActivities']>) => number {
  const remove = db.prepare(`DELETE FROM activities WHERE ${isRowWith('activities', () => '?')}`)
  return (activities) => {
    let removed = 0
    for (const { organizationId, activityId, seal } of activities)
      removed += Number(remove.run(organizationId, activityId, seal).changes)
    return removed
  }
}

/** Writes a note if it has the expected text, null for a missing note; returns whether it was written. */
export function sqliteReplaceNote(
  db: DatabaseSync,
): (name: string, before: string | null, after: string | null) => boolean {
  const add = db.prepare('INSERT OR IGNORE INTO notes (name, value) VALUES (?, ?)')
  const replace = db.prepare('UPDATE notes SET value = ? WHERE name = ? AND value = ?')
  const remove = db.prepare('DELETE FROM notes WHERE name = ? AND value = ?')
  return (name, before, after) => {
    if (before === null) return after === null || add.run(name, after).changes === 1
    const written = after === null ? remove.run(name, before) : replace.run(after, name, before)
    return written.changes === 1
  }
}
