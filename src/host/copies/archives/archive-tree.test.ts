import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRequest } from '../../store/testing/fixtures.ts'
import { archiveEntries, type ArchiveEntry } from './archive-entry.ts'
import { ArchiveTree } from './archive-tree.ts'
import { rowsOfBlock } from './block-rows.ts'
import { isPlain } from '../../../trusted/base/plain.ts'

test('a block has few rows and a bounded length, as far as one row has, and its entries say what it has', async () => {
  const blocks: { readonly kind: string; readonly bytes: Buffer }[] = []
  const tree = new ArchiveTree(async (kind, bytes) => {
    blocks.push({ kind, bytes })
    return { at: blocks.length - 1, bytes: bytes.length }
  })
  const [SHORT, LONG, HUGE, COUNT] = [100, 20_000, 1_000_000, 9_000]
  for (let n = 1; n <= COUNT; n++) {
    const intent = 'x'.repeat(n % 3_000 === 0 ? HUGE : n % 500 < 20 ? LONG : SHORT)
    await tree.add(aRequest(n), [n, intent], intent.length)
  }
  const root = await tree.end()
  assert.equal(root.level, 2)
  assert.deepEqual(
    [root.rows, root.leastId, root.greatestId],
    [COUNT, aRequest(1).activityId, aRequest(COUNT).activityId],
  )

  const found: unknown[] = []
  const follow = ({ level, at, rows, bytes }: ArchiveEntry): void => {
    const block = blocks[at] ?? assert.fail()
    assert.equal(block.bytes.length, bytes)
    if (level === 0) {
      const values = rowsOfBlock(block.bytes) ?? assert.fail()
      assert.equal(values.length, rows)
      assert.ok(rows <= 64 && (rows === 1 || bytes <= 140 * 1024), `${rows} rows, ${bytes} bytes`)
      found.push(...values.map(([n]) => n))
      return
    }
    const entries: unknown = JSON.parse(String(block.bytes))
    assert.ok(isPlain(archiveEntries, entries))
    for (const entry of entries) {
      assert.equal(entry.level, level - 1)
      follow(entry)
    }
  }
  follow(root)
  assert.deepEqual(
    found,
    Array.from({ length: COUNT }, (_, at) => at + 1),
  )
})
