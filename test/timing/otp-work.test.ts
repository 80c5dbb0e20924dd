import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decided, otpSubjects } from './otp-subjects.ts'

const REQUESTS = 64

// How long it takes is measured by `npm run timing`, on a machine that does nothing else.
test('neither users nor codes can be found out by what a request costs or leaves behind', async (t) => {
  const { decisions, close } = await otpSubjects()
  t.after(close)
  for (const { what, run } of decisions) {
    const works: [Set<string>, Set<string>] = [new Set(), new Set()]
    for (let index = 0; index < REQUESTS; index++)
      for (const kind of [0, 1] as const) works[kind].add(workOf(await run(kind, index)))
    assert.deepEqual(works[0], works[1], what)
    assert.equal(works[0].size, 1, what)
  }
})

function workOf(decision: Decided): string {
  assert.ok(decision.kind === 'commit')
  const { unit, cost } = decision
  const put = unit.objects.put.map(({ kind, body }) => [kind, body.length])
  const written = Object.entries(unit).map(([part, rows]) => [part, Array.isArray(rows) ? rows.length : 1])
  return JSON.stringify({ cost, put, written })
}
