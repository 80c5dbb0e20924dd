import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ByteRange } from '../stored-file.ts'
import { archiveReader } from './archive-reader.ts'

test('an end that says that it is as long as 4 GB is damaged, and is not read', async () => {
  const asked: ByteRange[] = []
  const file = {
    path: 'a file',
    size: 10_000_000_000,
    read: async function* (range: ByteRange) {
      asked.push(range)
      yield Buffer.alloc(range.end - range.start, 0xff)
    },
  }
  const secret = { fileKey: new Uint8Array(32), header: '{}\n', compression: 'gzip' } as const
  await assert.rejects(archiveReader(file, secret), /a file is damaged/)
  assert.equal(asked.length, 1)
})
