import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { InFlight } from './in-flight.ts'

test('an item is under its number until it is taken out, once', () => {
  const items = new InFlight<string>()
  items.put(3, 'three')
  items.put(7, 'seven')
  assert.equal(items.get(3), 'three')
  assert.deepEqual([...items.numbers()], [3, 7])
  assert.equal(items.take(3), 'three')
  assert.equal(items.take(3), undefined)
  assert.equal(items.get(3), undefined)
  assert.equal(items.size, 1)
})

test('all items can be taken out while their numbers are read', () => {
  const items = new InFlight<number>()
  for (let number = 0; number < 100; number++) items.put(number, number)
  for (const number of items.numbers()) assert.equal(items.take(number), number)
  assert.equal(items.size, 0)
})

test('what was taken out does not grow old, as it does in a Map', () => {
  const program = fileURLToPath(new URL('./testing/old-bytes.ts', import.meta.url))
  const told = execFileSync(process.execPath, ['--expose-gc', program], { encoding: 'utf8' })
  const { held, heldByMap } = JSON.parse(told) as Readonly<Record<string, number>>
  assert.ok((held ?? Number.NaN) * 4 < (heldByMap ?? Number.NaN), told)
})
