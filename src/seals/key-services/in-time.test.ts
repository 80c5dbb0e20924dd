import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTime } from './in-time.ts'
import type { Asked } from './key-service.ts'

const asked = { key: 'key', bytes: new Uint8Array(32), bound: 'file' }

test('a key service that never answers is unreachable, and its client is told to give up', async () => {
  const limit = new AbortController()
  const seen: Asked[] = []
  const answer = inTime<never>(
    (one) => {
      seen.push(one)
      return new Promise(() => {})
    },
    asked,
    limit.signal,
  )
  assert.deepEqual(
    seen.map(({ signal, ...rest }) => [rest, signal.aborted]),
    [[asked, false]],
  )
  limit.abort()
  assert.deepEqual(await answer, { trouble: 'unreachable', code: 'timeout' })
  assert.equal(seen[0]?.signal.aborted, true)
})

test('what a key service answers in time is its answer', async () => {
  const limit = new AbortController()
  assert.deepEqual(await inTime(async () => ({ wrapped: true }), asked, limit.signal), { wrapped: true })
  assert.deepEqual(await inTime(async () => ({ trouble: 'noKey' }) as const, asked, limit.signal), {
    trouble: 'noKey',
  })
  await assert.rejects(
    inTime(async () => Promise.reject(new Error('a fault of the package')), asked, limit.signal),
    /a fault of the package/,
  )
})
