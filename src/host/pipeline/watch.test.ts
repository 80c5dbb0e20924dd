import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Host } from './host.ts'
import { newWatch, watched } from './watch.ts'

// Only what a watch wraps is there.
const host = {
  vault: { check: async () => undefined },
  commits: { commit: async () => undefined, ended: () => undefined },
  outside: async () => undefined,
} as unknown as Host

test('a request that nobody watches is carried by the host itself, with nothing around it', () => {
  assert.equal(watched(host, undefined), host)
})

test('calls are told one by one only where that is asked for, and no more than the first of them', async () => {
  const [sums, stages] = [false, true].map((tellsStages) => newWatch('id', { tellsStages }))
  // The question is the host's matter.
  for (const watch of [sums, stages])
    for (let count = 0; count < 100; count++) await watched(host, watch).outside({} as never, 'org')
  assert.equal(sums?.stages, undefined)
  assert.equal(stages?.stages?.length, 64)
  assert.ok(stages.stages.every(({ name, from, to }) => name === 'outside' && to >= from))
  assert.ok(stages.outsideMs > 0)
})
