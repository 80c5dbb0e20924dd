import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { COMPILER, syncsThat } from '../../../../test/support/hanging-disk.ts'
import { aRecord, aRequest } from '../testing/fixtures.ts'
import { isStoreOutage } from '../outage.ts'
import { openSqliteFile, pragma } from './file.ts'
import { lookAtSqliteSchema } from './schema-look.ts'
import { openSqlite, sqliteOn } from './sqlite.ts'

test('what another process is about to let go is waited for, however the file is opened', async (t) => {
  const folder = aFolder(t)
  const path = join(folder, 'data.db')
  await openSqlite({ path }).close()
  for (const [way, held] of [
    ['store', `${path}-lock`],
    ['store', path],
    ['loader', path],
    ['look', path],
    ['snapshot', path],
  ] as const) {
    const holder = new DatabaseSync(held)
    // As the last one that has the file open does while it closes it.
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    const late = new Worker(new URL('../testing/late-opener.ts', import.meta.url), {
      workerData: { way, path },
    })
    assert.deepEqual(await once(late, 'message'), ['opens'])
    // Held for longer than an opening takes that meets nobody.
    await openSqlite({ path: join(folder, `${way} beside ${basename(held)}`) }).close()
    holder.close()
    assert.deepEqual(await once(late, 'message'), ['has opened'])
    await late.terminate()
  }
})

test('a write that meets another writer of the file fails at once, since all requests would wait with it', async (t) => {
  const path = join(aFolder(t), 'data.db')
  const db = openSqliteFile(path, { lockWaitMs: 10_000 })
  assert.equal(pragma(db, 'busy_timeout'), 0)
  const store = sqliteOn(db)
  t.after(() => store.close())
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  await assert.rejects(store.commit(aRecord(aRequest(1))), isStoreOutage)
  other.close()
  assert.deepEqual(await store.commit(aRecord(aRequest(1))), { kind: 'committed' })
})

const noFolder = existsSync('/sys') ? false : 'there is no folder in which root makes no file'

test('a file that cannot be made is told with the reason of the system', { skip: noFolder }, () => {
  assert.throws(() => openSqlite({ path: '/sys/data.db' }), /^Error: (EACCES|EPERM|EROFS): .*, open/)
})

test('what is no file is told with what it is and what to do, and keeps its mode', (t) => {
  const folder = aFolder(t)
  const path = join(folder, 'data.db')
  mkdirSync(path, { mode: 0o755 })
  for (const open of [openSqlite, ({ path: of }: { path: string }) => lookAtSqliteSchema(of)])
    assert.throws(() => open({ path }), /^StoreError: \S+data\.db is a folder and not a file: move it away, /)
  assert.equal(statSync(path).mode & 0o777, 0o755)
  const socket = join(folder, 'socket.db')
  const server = createServer().listen(socket)
  t.after(() => server.close())
  assert.throws(() => openSqlite({ path: socket }), /^StoreError: \S+socket\.db is a socket and not a file: /)
  mkdirSync(join(folder, 'other.db-lock'))
  assert.throws(() => openSqlite({ path: join(folder, 'other.db') }), /other\.db-lock is a folder and not a /)
})

const notRoot = process.getuid?.() === 0 ? false : 'only root can be another user too'

test('a file that another user owns is told with its name and the reason', { skip: notRoot }, async (t) => {
  const folder = aFolder(t)
  const path = join(folder, 'data.db')
  await openSqlite({ path }).close()
  chmodSync(folder, 0o777)
  const [own, look] = ['sqlite.ts', 'schema-look.ts'].map((file) => new URL(file, import.meta.url).href)
  const program = `import { openSqlite } from ${JSON.stringify(own)}
    import { lookAtSqliteSchema } from ${JSON.stringify(look)}
    for (const open of [() => openSqlite({ path: process.argv[1] }), () => lookAtSqliteSchema(process.argv[1])])
      try { open() } catch (error) { console.log(String(error)) }`
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', program, path], {
    encoding: 'utf8',
    uid: 65_534,
  }).split('\n')
  assert.match(told[0] ?? '', /^StoreError: \S+data\.db-lock belongs to another user: /)
  assert.match(told[1] ?? '', /^StoreError: \S+data\.db cannot be opened: may the user of this process /)
})

const noCompiler = existsSync(COMPILER) ? false : `there is no ${COMPILER} to watch syncs with`

test('every folder that is made for the file is synced, and the one above it', { skip: noCompiler }, (t) => {
  const above = aFolder(t)
  const path = join(above, 'srv', 'claviger', 'data.db')
  const synced = syncedBy(path)
  for (const folder of [above, dirname(dirname(path)), dirname(path)])
    assert.ok(synced.includes(folder), `${folder} is among ${synced.join(', ')}`)
})

/** What a process syncs that opens a store. */
function syncedBy(path: string): readonly string[] {
  const tells = `char link[32], path[4097];
    __builtin_sprintf(link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, 4096);
    if (length > 0) { path[length] = '\\n'; write(1, path, length + 1); }`
  const program = `import { openSqlite } from ${JSON.stringify(new URL('sqlite.ts', import.meta.url).href)}
    await openSqlite({ path: process.argv[1] }).close()`
  return execFileSync(process.execPath, ['--input-type=module', '-e', program, path], {
    env: { ...process.env, LD_PRELOAD: syncsThat(tells) },
    encoding: 'utf8',
  }).split('\n')
}

function aFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-opening-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
