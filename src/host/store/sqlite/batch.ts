import type { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * Runs writes one after the other in one transaction, so that one sync serves them all.
 *
 * @param whenUndone  called when a batch as a whole was undone, for what remembers anything that was read in it
 */
export function sqliteBatch(
  db: DatabaseSync,
  { whenUndone }: { readonly whenUndone: () => void },
): (writes: readonly (() => unknown)[]) => readonly unknown[] {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')

  return (writes) => {
    begin.run()
    try {
      const results = writes.map((write) => write())
      commit.run()
      return results
    } catch (error) {
      undo(rollback)
      whenUndone()
      throw error
    }
  }
}

/** After some errors SQLite has rolled back by itself. Only later versions of Node 22 can be asked beforehand. */
function undo(rollback: StatementSync): void {
  try {
    rollback.run()
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('no transaction is active')) throw error
  }
}
