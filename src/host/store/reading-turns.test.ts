import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readingTurns, rowsWeight, rowWeight } from './reading-turns.ts'

test('a turn reads no more than it has room for, and who reads little goes before the rest of who reads much', async () => {
  const turns = readingTurns(10)
  const read: string[] = []
  let turn = 0
  const watch = setImmediate(function next() {
    turn += 1
    if (read.length < 7) setImmediate(next)
  })
  const item = (flow: string) =>
    turns(
      flow,
      () => read.push(`${flow} in turn ${turn}`),
      () => 10,
    )
  const loud = Array.from({ length: 6 }, () => item('loud'))
  const quiet = item('quiet')

  await Promise.all([...loud, quiet])

  clearImmediate(watch)
  assert.equal(read.indexOf(read.find((line) => line.startsWith('quiet')) ?? ''), 1, read.join(', '))
  assert.equal(new Set(read.map((line) => line.split(' ').at(-1))).size, 7, read.join(', '))
})

test('a read that fails fails for who asked, and the next one is read', async () => {
  const turns = readingTurns(1)
  const broken = turns(
    'A',
    () => {
      throw new Error('no such table')
    },
    () => 1,
  )
  await assert.rejects(broken, /no such table/)
  assert.equal(
    await turns(
      'A',
      () => 1,
      () => 1,
    ),
    1,
  )
})

test('a row weighs its look-up, and more the longer its texts are', () => {
  const short = { id: 'x', version: 7 }
  assert.ok(Math.abs(rowWeight(short) - 1) < 0.01)
  assert.ok(Math.abs(rowWeight({ ...short, body: 'x'.repeat(1024 * 1024) }) - 257) < 0.01)
  assert.equal(rowWeight(undefined), 1)
  assert.equal(rowsWeight([{ n: 1 }, { n: 2 }]), 3)
})
