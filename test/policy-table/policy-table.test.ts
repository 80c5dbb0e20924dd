import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsOfAuthority } from './authority.ts'
import { rowsOfConsensus } from './consensus.ts'
import { rowsOfBatches, rowsOfEthereum } from './ethereum.ts'
import { rowsOfKeys, rowsOfRequests } from './keys.ts'
import { rowsOfNames } from './names.ts'
import { anOrganization } from './organization.ts'
import { rowsOfOtherChains } from './other-chains.ts'
import { rowsOfPayloads } from './payloads.ts'
import { rowsOfSolana } from './solana.ts'
import { rowsOfTime } from './time.ts'
import { rowsOfWriting } from './writing.ts'

/**
 * The table of published decisions (semantics, section 3.9), every row of it, through the whole service over HTTP. What
 * policies make of a row by themselves is in src/trusted/policy/published-table.test.ts.
 */
const ROWS = 70

const rows = [
  ...rowsOfAuthority,
  ...rowsOfConsensus,
  ...rowsOfNames,
  ...rowsOfEthereum,
  ...rowsOfPayloads,
  ...rowsOfSolana,
  ...rowsOfOtherChains,
  ...rowsOfKeys,
  ...rowsOfWriting,
  ...rowsOfTime,
  ...rowsOfRequests,
  ...rowsOfBatches,
]

for (const { row, promise, show } of rows) {
  test(nameOf({ row, promise }), async (t) => {
    const o = await anOrganization()
    t.after(o.service.close)
    await show(o)
  })
}

function nameOf({ row, promise }: { readonly row: number; readonly promise: string }): string {
  return `row ${row}: ${promise}`
}

test('every row of the table is shown, and no test is there twice under one name', () => {
  const all = Array.from({ length: ROWS }, (_, index) => index + 1)
  const shown = [...new Set(rows.map(({ row }) => row))].toSorted((a, b) => a - b)
  assert.deepEqual(shown, all)
  assert.equal(new Set(rows.map(nameOf)).size, rows.length)
})
