import assert from 'node:assert/strict'
import { test } from 'node:test'
import { struct } from '../../policy/types.ts'
import { fits, unnamed } from '../testing/fits.ts'
import { seeTronTransaction } from './read-tron-transaction.ts'
import { any, concat, contracts, int, raw } from './testing/raw-data.ts'
import { tronNamespace } from './tron-namespace.ts'

test('all that is seen of a Tron transaction of any contract has a name and a type in the language', () => {
  const named = contracts().flatMap(({ name, number, value }) => {
    const rawData = raw(concat(int(1, number), any(name, value)))
    return [...fits(struct(tronNamespace), seeTronTransaction(rawData)['tron'], 'seen')]
  })
  // The sample has no permission of a witness.
  assert.deepEqual(
    unnamed(tronNamespace, new Set(named)).filter((path) => !path.includes('.witness')),
    [],
  )
})
