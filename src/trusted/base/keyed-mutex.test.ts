import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyedMutex } from './keyed-mutex.ts'

test('jobs of one name run one after another in order, also after one that fails, and other names do not wait', async () => {
  const take = keyedMutex()
  const log: string[] = []
  const gates = new Map<string, () => void>()
  const job = (name: string) => async () => {
    log.push(`${name} starts`)
    await new Promise<void>((resolve) => gates.set(name, resolve))
    log.push(`${name} ends`)
    if (name === 'first') throw new Error('no')
    return name
  }
  const first = take('A', job('first'))
  const second = take('A', job('second'))
  const beside = take('B', job('beside'))
  assert.deepEqual(log, ['first starts', 'beside starts'])
  gates.get('beside')?.()
  assert.equal(await beside, 'beside')
  gates.get('first')?.()
  await assert.rejects(first)
  assert.deepEqual(log.slice(2), ['beside ends', 'first ends', 'second starts'])
  gates.get('second')?.()
  assert.equal(await second, 'second')
})
