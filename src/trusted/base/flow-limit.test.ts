import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FlowLimit } from './flow-limit.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a flow has no more under way than the limit, or one job, and another flow does not wait for it', async () => {
  const limit = new FlowLimit(10)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const start = (flow: string, weight: number, name: string) =>
    limit.run(flow, weight, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const all = [
    start('loud', 6, 'first'),
    start('loud', 6, 'second'),
    start('loud', 100, 'long'),
    start('loud', 1, 'short'),
    start('quiet', 6, 'quiet'),
  ]
  await settled()
  assert.deepEqual(begun, ['first', 'quiet'])
  for (const name of ['first', 'second', 'long', 'short', 'quiet']) {
    ends.get(name)?.()
    await settled()
  }
  assert.deepEqual(begun, ['first', 'quiet', 'second', 'long', 'short'])
  await Promise.all(all)
})

test('a job that fails makes room', async () => {
  const limit = new FlowLimit(1)
  const broken = limit.run('A', 1, () => Promise.reject(new Error('no')))
  const next = limit.run('A', 1, async () => 'yes')
  await assert.rejects(broken, /no/)
  assert.equal(await next, 'yes')
})
