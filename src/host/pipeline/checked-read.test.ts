import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Checked, CheckRequest, Costed } from '../../protocol/vault.ts'
import type { ObjectRow } from '../../trusted/catalogue/unit.ts'
import { checkedRead } from './checked-read.ts'

const KI = 1024

function rowOf(at: number, characters: number): ObjectRow {
  const objectId = `row ${at}`
  return { organizationId: 'o', kind: 'k', objectId, body: 'x'.repeat(characters), seal: '', expiresAt: null }
}

/** A vault that notes the ids of the objects in each call, and answers by them. */
function aVault(answer: (ids: readonly string[]) => Checked = () => ({ kind: 'checked' })) {
  const calls: string[][] = []
  return {
    calls,
    check: async ({ objects }: CheckRequest): Promise<Costed<Checked>> => {
      const ids = objects.map(({ objectId }) => objectId)
      calls.push(ids)
      return { ...answer(ids), cost: 0 }
    },
  }
}

test('rows are checked in calls that are not long, all of them and each once', async () => {
  const rows = [10, 200, 100, 300, 1].map((length, at) => rowOf(at, length * KI))
  const vault = aVault()
  assert.equal(
    await checkedRead(
      vault,
      async () => rows,
      (objects) => ({ objects }),
    ),
    rows,
  )
  assert.deepEqual(vault.calls, [['row 0', 'row 1'], ['row 2'], ['row 3'], ['row 4']])
})

test('short rows are five hundred to a call, and no rows are no call', async () => {
  const rows = Array.from({ length: 1_100 }, (_, at) => rowOf(at, 1))
  const vault = aVault()
  await checkedRead(
    vault,
    async () => rows,
    (objects) => ({ objects }),
  )
  assert.deepEqual(
    vault.calls.map(({ length }) => length),
    [500, 500, 100],
  )
  await checkedRead(
    vault,
    async () => [],
    (objects) => ({ objects }),
  )
  assert.equal(vault.calls.length, 3)
})

test('a row that is not verified in any of the calls is read again with the others, and is a bug if it stays', async () => {
  const rows = [300, 300].map((length, at) => rowOf(at, length * KI))
  let trouble = 1
  const vault = aVault((ids) =>
    ids.includes('row 1') && trouble-- > 0 ? { kind: 'outdated', what: 'row 1' } : { kind: 'checked' },
  )
  let reads = 0
  const read = async (): Promise<readonly ObjectRow[]> => {
    reads++
    return rows
  }
  await checkedRead(vault, read, (objects) => ({ objects }))
  assert.equal(reads, 2)
  trouble = 2
  await assert.rejects(
    checkedRead(vault, read, (objects) => ({ objects })),
    /row 1/,
  )
})
