import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from '../parse.ts'
import { pathOf, walk } from './walk.ts'

function pathsIn(condition: string): readonly string[] {
  return walk(parse(condition)).flatMap((visited) => pathOf(visited)?.join('.') ?? [])
}

test('a variable of a list function is no keyword within it, whatever it is called', () => {
  for (const [list, rest] of [
    ['any', ''],
    ['all', ''],
    ['filter', '.count() > 0'],
  ] as const) {
    const condition = `eth.tx.list.${list}(wallet, wallet.id == 'A')${rest}`
    assert.deepEqual(pathsIn(condition), ['eth.tx.list', 'eth.tx', 'eth'], condition)
  }
  // The list itself is read outside of it.
  assert.deepEqual(pathsIn("wallet.list.any(wallet, wallet.id == 'A')"), ['wallet.list', 'wallet'])
  assert.deepEqual(pathsIn("eth.list.any(x, x == 'A') && x.id == 'B'"), ['eth.list', 'eth', 'x.id', 'x'])
})
