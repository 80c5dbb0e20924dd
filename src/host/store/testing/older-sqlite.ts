import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { migrationChecksum } from '../migrations.ts'
import { migrationTable, sqliteMigrations } from '../sqlite/schema.ts'

/** Makes an empty embedded store of the first version. */
export function makeOlderSqlite(path: string): void {
  const [first] = sqliteMigrations
  assert.ok(first !== undefined)
  const db = new DatabaseSync(path)
  db.exec(migrationTable + first.sql)
  db.prepare('INSERT INTO migrations VALUES (1, ?)').run(migrationChecksum(first))
  db.close()
}
