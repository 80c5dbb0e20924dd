import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrationChecksum } from '../../src/host/store/migrations.ts'
import { migrationTable, sqliteMigrations } from '../../src/host/store/sqlite/schema.ts'
import { founder, init } from './founder.ts'

/** A folder with its root key and an embedded store of the first version. */
export async function olderData(): Promise<{ readonly dataFolder: string; readonly path: string }> {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const path = join(dataFolder, 'claviger.db')
  rmSync(path)
  const [first] = sqliteMigrations
  assert.ok(first !== undefined)
  const db = new DatabaseSync(path)
  db.exec(migrationTable + first.sql)
  db.prepare('INSERT INTO migrations VALUES (1, ?)').run(migrationChecksum(first))
  db.close()
  return { dataFolder, path }
}
