import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAhead } from './read-ahead.ts'
import { readRange } from './read-range.ts'
import type { ByteRange, StoredFile } from './stored-file.ts'

const BYTES = Buffer.from('0123456789abcdefghijklmno')

test('a file that is read ahead has the same bytes, and is asked for windows of it, not for each range', async () => {
  const { file, asked } = aFile()
  const ahead = readAhead(file, { windowBytes: 8, windowsMax: 4 })
  for (let start = 0; start <= BYTES.length; start++)
    for (let end = start; end <= BYTES.length; end++)
      assert.deepEqual(await readRange(ahead, { start, end }), BYTES.subarray(start, end))
  assert.deepEqual(asked, [
    { start: 0, end: 8 },
    { start: 8, end: 16 },
    { start: 16, end: 24 },
    { start: 24, end: 25 },
  ])
})

test('only the windows that were used last are held, and one that failed is asked for again', async () => {
  const { file, asked, fail } = aFile()
  const ahead = readAhead(file, { windowBytes: 8, windowsMax: 2 })
  for (const start of [0, 8, 0, 16, 0, 8]) await readRange(ahead, { start, end: start + 1 })
  assert.deepEqual(
    asked.map(({ start }) => start),
    [0, 8, 16, 8],
  )
  fail(new Error('broken off'))
  await assert.rejects(readRange(ahead, { start: 24, end: 25 }), /broken off/)
  fail(undefined)
  assert.deepEqual(await readRange(ahead, { start: 24, end: 25 }), BYTES.subarray(24))
})

function aFile() {
  const asked: ByteRange[] = []
  let failure: Error | undefined
  const file: StoredFile = {
    path: 'a file',
    size: BYTES.length,
    read: async function* (range) {
      asked.push(range)
      if (failure !== undefined) throw failure
      yield BYTES.subarray(range.start, range.end)
    },
  }
  return { file, asked, fail: (error: Error | undefined) => (failure = error) }
}
