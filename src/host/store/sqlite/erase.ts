import type { DatabaseSync } from 'node:sqlite'
import { snapshotBeginning } from '../record-texts.ts'
import { REST } from '../rest-of-organization.ts'
import type { ErasedSnapshots, Store, TextKey } from '../store.ts'

/**
 * Removes, inside a batch, the rows of an organization other than its charter, its activities and its jobs; returns
 * their number.
 */
export function sqliteEraseRest(db: DatabaseSync): (organizationId: string, limit: number) => number {
  const removals = REST.map(({ name, key, isOf }) =>
    db.prepare(
      `DELETE FROM ${name} WHERE (${key}) IN (SELECT ${key} FROM ${name} WHERE ${isOf('?')} LIMIT ?)`,
    ),
  )
  return (organizationId, limit) =>
    removals.reduce((sum, removal) => sum + Number(removal.run(organizationId, limit).changes), 0)
}

/** Removes, inside a batch, a user's snapshots from a page of shared texts, except those that are named. */
export function sqliteEraseSnapshots(
  db: DatabaseSync,
): (...asked: Parameters<Store['eraseSnapshots']>) => ErasedSnapshots {
  const look = db.prepare(
    `SELECT organization_id AS organizationId, digest, substr(body, 1, ?) AS beginning FROM record_texts
      WHERE (organization_id, digest) > (?, ?) ORDER BY organization_id, digest LIMIT ?`,
  )
  const remove = db.prepare('DELETE FROM record_texts WHERE organization_id = ? AND digest = ?')
  return (userId, named, { after = FIRST, limit }) => {
    const wanted = snapshotBeginning(userId)
    // The row has the shape of the statement.
    const texts = look.all(
      wanted.length,
      after.organizationId,
      after.digest,
      limit,
    ) as unknown as readonly (TextKey & {
      readonly beginning: string
    })[]
    const gone = texts.filter(({ digest, beginning }) => beginning === wanted && !named.includes(digest))
    for (const { organizationId, digest } of gone) remove.run(organizationId, digest)
    return { erased: gone.length, last: texts.at(-1) }
  }
}

/** Before every text. */
const FIRST: TextKey = { organizationId: '', digest: '' }
