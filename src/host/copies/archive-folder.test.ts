import assert from 'node:assert/strict'
import fs, { mkdtempSync, readdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { archiveFolder } from './archive-folder.ts'
import type { StoredFile } from './stored-file.ts'

test('any range of a file in a folder is read, and one that the file does not have any more is an error', async (t) => {
  const { place, folder } = aFolder(t)
  const bytes = Buffer.from('settled activities of March')
  await place.write('march', pieces(bytes.subarray(0, 9), bytes.subarray(9)))
  const file = await place.open('march')
  assert.ok(file !== undefined)
  assert.deepEqual([file.path, file.size], [join(folder, 'march'), bytes.length])
  for (let start = 0; start <= bytes.length; start++)
    for (let end = start; end <= bytes.length; end++)
      assert.deepEqual(await readOf(file, { start, end }), bytes.subarray(start, end))
  truncateSync(file.path, 12)
  await assert.rejects(readOf(file, { start: 10, end: 13 }), /march has become shorter while it was read/)
  assert.equal(await place.open('april'), undefined)
})

test('a file of a folder is there when it is whole, and is not written twice', async (t) => {
  const { place, folder } = aFolder(t)
  const killed = new Error('killed')
  await assert.rejects(
    place.write(
      'march',
      (async function* () {
        yield Buffer.from('the first half')
        assert.equal(await place.open('march'), undefined)
        throw killed
      })(),
    ),
    killed,
  )
  assert.deepEqual(readdirSync(folder), [])
  await place.write('march', pieces(Buffer.from('more')))
  await assert.rejects(place.write('march', pieces(Buffer.from('less'))), /was written by another run/)
  assert.deepEqual(await place.list(), ['march'])
  const file = await place.open('march')
  assert.ok(file !== undefined)
  assert.equal((await readOf(file, { start: 0, end: file.size })).toString(), 'more')
})

test('a file that cannot be looked at is an error, and not one that is missing', async (t) => {
  const { place, folder } = aFolder(t)
  symlinkSync('march', join(folder, 'march'))
  await assert.rejects(place.open('march'), { code: 'ELOOP' })
})

test('the event loop does not wait for a folder that does not answer', async (t) => {
  const { place } = aFolder(t)
  await place.write('march', pieces(Buffer.from('more')))
  t.mock.method(fs, 'existsSync', () => assert.fail('the event loop waits'))
  t.mock.method(fs, 'statSync', () => assert.fail('the event loop waits'))
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  assert.equal((await place.open('march'))?.size, 4)
  assert.equal(await place.open('april'), undefined)
})

function aFolder(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-folder-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    place: archiveFolder(folder, { fileBeside: (path) => `${path}.new`, syncFolderOf: () => {} }),
  }
}

async function* pieces(...bytes: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* bytes
}

async function readOf(file: StoredFile, range: Parameters<StoredFile['read']>[0]): Promise<Buffer> {
  const read: Uint8Array[] = []
  for await (const piece of file.read(range)) read.push(piece)
  return Buffer.concat(read)
}
