import type { DatabaseSync } from 'node:sqlite'
import { REST } from './rest-of-organization.ts'

/** Removes inside a batch what an organization has beside its charter, its activities and its jobs; answers how many rows. */
export function sqliteEraseRest(db: DatabaseSync): (organizationId: string, limit: number) => number {
  const removals = REST.map(({ name, key, isOf }) =>
    db.prepare(
      `DELETE FROM ${name} WHERE (${key}) IN (SELECT ${key} FROM ${name} WHERE ${isOf('?')} LIMIT ?)`,
    ),
  )
  return (organizationId, limit) =>
    removals.reduce((sum, removal) => sum + Number(removal.run(organizationId, limit).changes), 0)
}
