import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { aRecord, aRequest } from '../testing/fixtures.ts'
import { SCHEMA_STEP } from '../schema-step.ts'
import { openSqlite } from './sqlite.ts'
import { lookAtSqliteSchema } from './schema-look.ts'
import { withSqliteSnapshot } from './snapshot.ts'

test('an embedded store that a newer version has widened opens again in this one, which copies nothing of it', async (t) => {
  const path = await widened(t, SCHEMA_STEP, 'ALTER TABLE activities ADD COLUMN origin TEXT')
  const store = openSqlite({ path })
  assert.deepEqual(await store.commit(aRecord(aRequest(1))), { kind: 'committed' })
  await store.close()
  await assert.rejects(
    withSqliteSnapshot(path, async () => 1),
    foreign(/has what a newer version of Claviger added/),
  )
})

test('an embedded store under a contract step of a newer version is refused', async (t) => {
  const path = await widened(t, SCHEMA_STEP + 1)
  assert.throws(() => openSqlite({ path }), foreign(/written by a newer version/))
  assert.equal(lookAtSqliteSchema(path).applied.at(-1)?.oldestReader, SCHEMA_STEP + 1)
})

test('what is done to a table beside adding columns is still altered by hand', async (t) => {
  for (const alteration of ['RENAME COLUMN value TO other', 'ADD COLUMN other TEXT CHECK (other > 1)']) {
    const path = await widened(t, SCHEMA_STEP, `ALTER TABLE notes ${alteration}`)
    assert.throws(() => openSqlite({ path }), foreign(/the table notes .* altered by hand/), alteration)
  }
  const added = await widened(t, undefined, 'ALTER TABLE notes ADD COLUMN other TEXT')
  assert.throws(() => openSqlite({ path: added }), foreign(/the table notes .* altered by hand/))
})

test('looking at the schema of a file that is not there makes none', (t) => {
  const path = join(aFolder(t), 'data.db')
  assert.throws(() => lookAtSqliteSchema(path), foreign(/there is no embedded store/))
  assert.throws(() => lookAtSqliteSchema(path), foreign(/there is no embedded store/))
})

test('looking at the schema of something else is refused with a reason', (t) => {
  const path = join(aFolder(t), 'data.db')
  for (const text of ['', 'no database, but as long as the header of one: '.repeat(200)]) {
    writeFileSync(path, text)
    assert.throws(() => lookAtSqliteSchema(path), foreign(/not a database of Claviger/))
  }
})

/** An embedded store with one more step, which names the oldest schema that may stay, if it is noted at all. */
async function widened(t: TestContext, oldestReader?: number, sql = ''): Promise<string> {
  const path = join(aFolder(t), 'data.db')
  await openSqlite({ path }).close()
  const db = new DatabaseSync(path)
  db.exec(sql)
  if (oldestReader !== undefined)
    db.prepare('INSERT INTO migrations VALUES (?, ?, ?)').run(SCHEMA_STEP + 1, 'x', oldestReader)
  db.close()
  return path
}

function foreign(message: RegExp) {
  return { name: 'StoreError', kind: 'foreign', message }
}

function aFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-schema-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
