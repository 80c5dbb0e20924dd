import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lru } from './lru.ts'

test('what was used longest ago is forgotten first, and nothing before it is full', () => {
  const lru = new Lru<number>(3)
  for (const [at, key] of ['a', 'b', 'c'].entries()) lru.set(key, at)
  assert.equal(lru.get('a'), 0)
  lru.set('d', 3)
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => lru.get(key)),
    [0, undefined, 2, 3],
  )
  lru.set('c', 9)
  assert.equal(lru.get('c'), 9)
  lru.delete('c')
  assert.equal(lru.get('c'), undefined)
})
