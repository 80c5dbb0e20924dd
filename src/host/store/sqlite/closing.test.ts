import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { aCharter, aRecord, aRequest } from '../testing/fixtures.ts'
import { withSqliteLoader } from './loader.ts'
import { lookAtSqliteSchema } from './schema-look.ts'
import { withSqliteSnapshot } from './snapshot.ts'
import { openSqlite } from './sqlite.ts'

const noDescriptors = process.platform === 'linux' ? false : 'only Linux tells what a process has open'

test('a store that was closed leaves no file open', { skip: noDescriptors }, async (t) => {
  const folder = aFolder(t)
  const store = openSqlite({ path: join(folder, 'data', 'data.db') })
  await store.commit(aRecord(aRequest(1)))
  assert.ok(heldIn(folder).length > 0)
  await store.close()
  assert.deepEqual(heldIn(folder), [])
})

test('a look at the schema and a copy leave no file open, also when they fail', {
  skip: noDescriptors,
}, async (t) => {
  const folder = aFolder(t)
  const path = join(folder, 'data.db')
  const snapshot = (work: () => Promise<void>) => withSqliteSnapshot(path, work)
  const failing = async () => {
    throw new Error('the copy ends here')
  }
  writeFileSync(path, '')
  assert.throws(() => lookAtSqliteSchema(path))
  await assert.rejects(snapshot(async () => undefined))
  assert.deepEqual(heldIn(folder), [])
  await openSqlite({ path }).close()
  lookAtSqliteSchema(path)
  await snapshot(async () => undefined)
  await assert.rejects(snapshot(failing))
  assert.deepEqual(heldIn(folder), [])
})

test('a file that is refused is neither open nor locked afterwards', { skip: noDescriptors }, async (t) => {
  const folder = aFolder(t)
  const path = join(folder, 'data.db')
  writeFileSync(path, 'no database, but long enough to have a header of one, were it one: '.repeat(200))
  for (let n = 0; n < 2; n++) assert.throws(() => openSqlite({ path }), { kind: 'foreign' })
  assert.deepEqual(heldIn(folder), [])

  rmSync(path)
  const store = openSqlite({ path })
  assert.throws(() => openSqlite({ path, lockWaitMs: 0 }), { kind: 'inUse' })
  await store.close()
  assert.deepEqual(heldIn(folder), [])
})

test('a store that is closed right behind many writes does nothing afterwards', async () => {
  const store = openSqlite({ path: ':memory:' })
  // So many that the log is to be moved into the file in the next turn.
  const units = Array.from({ length: 16 * 256 }, (_, n) => aRecord(aRequest(n)))
  const results = Promise.all(units.map(store.commit))
  await store.close()
  // What was left to do would throw here, with nobody to catch it.
  await new Promise(setImmediate)
  assert.ok((await results).every(({ kind }) => kind === 'committed'))
})

const noLimits = spawnSync('prlimit', ['--version']).status === 0 ? false : 'there is no prlimit'

test('a store closes on a disk that takes nothing more, and what it has acknowledged is there afterwards', {
  skip: noLimits,
}, async (t) => {
  const path = join(aFolder(t), 'data.db')
  const store = openSqlite({ path })
  await store.commit(aRecord(aRequest(1)))
  fileSizeMax('0')
  try {
    await store.close()
  } finally {
    fileSizeMax('unlimited')
  }
  const again = openSqlite({ path })
  t.after(() => again.close())
  assert.deepEqual(await again.activityOfRequest(aRequest(1)), aRequest(1))
})

test('what was loaded is told as loaded, also when the disk fills right behind it', {
  skip: noLimits,
}, async (t) => {
  const path = join(aFolder(t), 'data.db')
  const before = openSqlite({ path })
  // What is loaded goes into the free pages of a large file. The log of it is small, and the disk takes that.
  const large = await before.noteOnce('large', 'x'.repeat(2_000_000))
  await before.replaceNote('large', large, null)
  await before.close()
  const charters = ['one', 'two'].map((id) => aCharter(id, 1, 'x'.repeat(100_000)))
  try {
    await withSqliteLoader(path, async (loader) => {
      await loader.put('charters', charters)
      fileSizeMax('600000')
    })
  } finally {
    fileSizeMax('unlimited')
  }
  const store = openSqlite({ path })
  t.after(() => store.close())
  assert.deepEqual(await store.charters(['one', 'two']), charters)
})

/** How large a file may become that this process writes to: as on a disk that is full, without one. */
function fileSizeMax(bytes: string): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`])
}

/** What this process has open in a folder, and the folder itself. */
function heldIn(folder: string): readonly string[] {
  const descriptors = readdirSync('/proc/self/fd').map((name) => `/proc/self/fd/${name}`)
  // The descriptor that has read the list is closed by now.
  const paths = descriptors.filter((path) => existsSync(path)).map((path) => readlinkSync(path))
  return paths.filter((path) => path.startsWith(folder))
}

function aFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-closing-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
