import type { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * Runs writes one after the other in one transaction, so that one sync covers all of them.
 *
 * @param whenUndone  called when a whole batch was rolled back, for caches of values that were read in it
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

/** After some errors SQLite has rolled back by itself. Only later versions of Node 22 can report this beforehand. */
function undo(rollback: StatementSync): void {
  try {
    rollback.run()
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('no transaction is active')) throw error
  }
}
