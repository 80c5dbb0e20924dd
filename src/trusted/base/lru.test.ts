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

test('a use counts from the first entry on, and not only once the map fills up', () => {
  const lru = new Lru<number>(4)
  lru.set('a', 0)
  lru.set('b', 1)
  lru.get('a')
  for (const key of ['c', 'd', 'e']) lru.set(key, 2)
  assert.deepEqual(
    ['a', 'b'].map((key) => lru.get(key)),
    [0, undefined],
  )
})

test('what is heavy makes room for itself, and what is too heavy alone is not kept', () => {
  const lru = new Lru<string>(10, (text) => text.length)
  lru.set('a', 'xxxx')
  lru.set('b', 'xxxx')
  lru.set('c', 'xxxxxx')
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => lru.get(key) !== undefined),
    [false, true, true],
  )
  lru.set('b', 'x')
  lru.set('d', 'xxx')
  assert.deepEqual(
    ['b', 'c', 'd'].map((key) => lru.get(key) !== undefined),
    [true, true, true],
  )
  lru.set('e', 'x'.repeat(11))
  assert.deepEqual(
    ['b', 'c', 'd', 'e'].map((key) => lru.get(key)),
    [undefined, undefined, undefined, undefined],
  )
})
