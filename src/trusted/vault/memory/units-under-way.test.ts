import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HandedOut, UnderWay } from './units-under-way.ts'

test('of two units that write the same, one waits for the other to end', () => {
  const units = new HandedOut<{ readonly writes: readonly string[] }>()
  const first = units.add({ writes: ['a', 'b'] })
  assert.throws(
    () => units.add({ writes: ['c', 'b'] }),
    (error) => error instanceof UnderWay && error.ticket === first,
  )
  const other = units.add({ writes: ['c'] })
  assert.deepEqual(units.take(first), { writes: ['a', 'b'] })
  assert.notEqual(units.add({ writes: ['b'] }), other)
})

test('a ticket counts once, and one that was never given counts for nothing', () => {
  const units = new HandedOut<{ readonly writes: readonly string[] }>()
  const ticket = units.add({ writes: ['a'] })
  assert.equal(units.take(ticket + 1), undefined)
  assert.ok(units.take(ticket) !== undefined)
  assert.equal(units.take(ticket), undefined)
})

test('a host that never tells costs a bounded memory, and blocks nothing for ever', () => {
  const units = new HandedOut<{ readonly writes: readonly string[] }>(10)
  const first = units.add({ writes: ['a'] })
  for (let n = 0; n < 10; n++) units.add({ writes: [`x${n}`] })
  assert.equal(units.take(first), undefined)
  units.add({ writes: ['a'] })
})

test('a unit may follow the one that writes the same, and then it is the writer', () => {
  const units = new HandedOut<{ readonly writes: readonly string[] }>()
  const first = units.add({ writes: ['a'] })
  const second = units.add({ writes: ['a'] }, (written) => written === 'a')
  assert.ok(units.take(first) !== undefined)
  assert.throws(
    () => units.add({ writes: ['a'] }),
    (error) => error instanceof UnderWay && error.ticket === second,
  )
  units.take(second)
  assert.equal(units.writerOf('a'), undefined)
  units.add({ writes: ['a'] })
})

test('a unit that others have followed is the writer again once nothing is left of these', () => {
  const units = new HandedOut<{ readonly writes: readonly string[] }>()
  const follow = () => units.add({ writes: ['a'] }, () => true)
  const [first, second, third] = [follow(), follow(), follow()]
  const isWriter = (ticket: number) =>
    assert.throws(
      () => units.add({ writes: ['a'] }),
      (error) => error instanceof UnderWay && error.ticket === ticket,
    )
  units.take(second)
  isWriter(third)
  units.take(third)
  isWriter(first)
  units.take(first)
  assert.equal(units.writerOf('a'), undefined)
})

test('as many units are known as there may be, and the writer of something is known until its unit is told of', () => {
  const units = new HandedOut<{ readonly writes: readonly string[] }>(2)
  const first = units.add({ writes: ['a'] })
  const second = units.add({ writes: ['b'] })
  assert.deepEqual(units.writerOf('a'), { writes: ['a'] })
  assert.equal(units.writerOf('c'), undefined)
  assert.deepEqual(units.take(first), { writes: ['a'] })
  assert.equal(units.writerOf('a'), undefined)
  assert.deepEqual(units.take(second), { writes: ['b'] })
})
