import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startClaviger } from '../../src/host/emulator/start-claviger.ts'
import { day, others } from './scenario.ts'

async function run(seed: number, between: Parameters<typeof day>[1]): Promise<readonly string[]> {
  await using c = await startClaviger({ seed, fixtures: 'treasury' })
  return await day(c, between)
}

test('runs of one seed are equal byte for byte, also while others do other things; npm run emulator makes thousands', async () => {
  const alone = await run(7, async () => {})
  assert.deepEqual(await run(7, async () => {}), alone)
  assert.deepEqual(await run(7, others), alone)
  assert.deepEqual(await run(7, async (c) => await Promise.all([others(c), others(c)])), alone)
  const other = await run(8, async () => {})
  for (const [at, answer] of other.entries()) assert.notEqual(answer, alone[at])
})

test('what is done again after a reset is the same again', async () => {
  await using c = await startClaviger({ seed: 7, fixtures: 'treasury' })
  const first = await day(c, async () => {})
  c.reset()
  assert.deepEqual(await day(c, others), first)
})
