import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from '../parse.ts'
import { comparedTexts, pathOf, walk } from './walk.ts'

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

test('of a comparison the texts that are written out are told, on either side, and numbers are none', () => {
  for (const [condition, left, right] of [
    ["wallet.id == 'A'", ['A'], []],
    ["'A' != wallet.id", [], ['A']],
    ['eth.tx.value == 5', [], []],
    ['eth.tx.value < 5', [], []],
    ['wallet.id == private_key.id', [], []],
  ] as const) {
    const sides = comparedTexts({ tree: parse(condition), hidden: [] })
    const texts = sides.map((side) => side.texts.map(({ value }) => value))
    assert.deepEqual(texts, [left, right], condition)
  }
})
