import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairTurns } from './fair-turns.ts'

/** Jobs that end when the test says so. */
function jobs(turns: FairTurns) {
  const begun: string[] = []
  const ends = new Map<string, (cost: number) => void>()
  const start = (flow: string, cost: number, name = flow) =>
    turns.run(
      { flow, cost },
      () => {
        begun.push(name)
        return new Promise<number>((resolve) => ends.set(name, resolve))
      },
      (really) => really,
    )
  const end = async (name: string, cost: number): Promise<void> => {
    ends.get(name)?.(cost)
    await settled()
  }
  return { begun, start, end }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('no more is under way than the bound, and what costs more than the bound runs alone', async () => {
  const { begun, start, end } = jobs(new FairTurns(10))
  for (const name of ['a', 'b', 'c']) void start('A', 4, name)
  void start('A', 100, 'dear')
  await settled()
  assert.deepEqual(begun, ['a', 'b'])

  await end('a', 4)
  assert.deepEqual(begun, ['a', 'b', 'c'])
  await end('b', 4)
  assert.deepEqual(begun, ['a', 'b', 'c'])
  await end('c', 4)
  assert.deepEqual(begun, ['a', 'b', 'c', 'dear'])
})

test('a quiet tenant comes before the rest of what a loud one has waiting', async () => {
  const { begun, start, end } = jobs(new FairTurns(1))
  for (let i = 0; i < 5; i++) void start('loud', 1, `loud ${i}`)
  await settled()
  void start('quiet', 1)
  await end('loud 0', 1)
  assert.deepEqual(begun, ['loud 0', 'quiet'])
})

test('a job that turns out to be dear sets its tenant back', async () => {
  const { begun, start, end } = jobs(new FairTurns(1))
  void start('loud', 1, 'loud 0')
  void start('loud', 1, 'loud 1')
  for (let i = 0; i < 3; i++) void start('quiet', 1, `quiet ${i}`)
  await settled()
  await end('loud 0', 50)
  for (let i = 0; i < 3; i++) await end(`quiet ${i}`, 1)
  assert.deepEqual(begun, ['loud 0', 'quiet 0', 'quiet 1', 'quiet 2', 'loud 1'])
})

test('who was busy while nobody waited does not wait for who comes now', async () => {
  const turns = new FairTurns(1)
  for (let i = 0; i < 100; i++) await turns.run({ flow: 'busy all day', cost: 10 }, async () => {})
  const { begun, start, end } = jobs(turns)
  for (let i = 0; i < 3; i++) void start('comes now', 1, `comes now ${i}`)
  void start('busy all day', 1)
  await settled()
  await end('comes now 0', 1)
  assert.deepEqual(begun, ['comes now 0', 'busy all day'])
})

test('a job that fails makes room', async () => {
  const turns = new FairTurns(1)
  await assert.rejects(turns.run({ flow: 'A', cost: 1 }, () => Promise.reject(new Error('no'))))
  assert.equal(await turns.run({ flow: 'A', cost: 1 }, async () => 'yes'), 'yes')
})
