import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveBlocks, type BlockKind } from './archive-blocks.ts'
import { blockOfRows, rowsOfBlock } from './block-rows.ts'

const header = '{"format":"claviger archive 1"}\n'
const fileKey = new Uint8Array(32).fill(3)

for (const compression of ['zstd', 'gzip'] as const)
  test(`${compression}: a block opens in its place of its file, as what it is, and nowhere else`, async () => {
    const blocks = archiveBlocks({ fileKey, header, compression })
    const text = Buffer.from('what was done '.repeat(100))
    const sealed = await blocks.seal({ kind: 'rows', at: 1_000 }, text)
    assert.ok(sealed.length < text.length, 'it is compressed')
    assert.deepEqual(await blocks.open({ kind: 'rows', at: 1_000 }, sealed), text)

    const opens = async (
      of: { readonly kind: BlockKind; readonly at: number },
      bytes = sealed,
      opener = blocks,
    ): Promise<void> => await assert.rejects(opener.open(of, bytes), { name: 'CopyError' })
    await opens({ kind: 'rows', at: 1_001 })
    await opens({ kind: 'rows', at: 1_000 + 2 ** 32 })
    await opens({ kind: 'entries', at: 1_000 })
    await opens({ kind: 'end', at: 1_000 })
    await opens({ kind: 'rows', at: 1_000 }, sealed.subarray(0, -1))
    await opens({ kind: 'rows', at: 1_000 }, Buffer.alloc(0))
    const at = { kind: 'rows', at: 1_000 } as const
    await opens(at, sealed, archiveBlocks({ fileKey, header: `${header} `, compression }))
    await opens(at, sealed, archiveBlocks({ fileKey: new Uint8Array(32).fill(4), header, compression }))
    // The same in two places is not seen to be the same.
    assert.notDeepEqual(await blocks.seal({ kind: 'rows', at: 2_000 }, text), sealed)
  })

test('rows come out of a block as they went in, whatever their texts are, and what is none is none', () => {
  const long = JSON.stringify({ text: '"quoted" \\ ü \u{1F511}\n'.repeat(100) })
  const rows = [
    ['org', 1, null, long, '', long],
    ['\n', 2, 'short', '\ud800'.repeat(600), long, '[]'],
  ]
  const block = blockOfRows(rows)
  assert.deepEqual(rowsOfBlock(block), rows)
  for (const bytes of [
    block.subarray(0, -1),
    Buffer.concat([block, Buffer.from('x')]),
    block.subarray(0, block.indexOf('\n')),
    Buffer.from('{"rows":[[""]],"notes":[{"path":[0,1],"bytes":1}]}\nx'),
    Buffer.from('{"rows":{},"notes":[]}\n'),
    Buffer.from('[]\n'),
    Buffer.alloc(0),
  ])
    assert.equal(rowsOfBlock(bytes), undefined)
})
