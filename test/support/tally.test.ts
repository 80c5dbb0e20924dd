import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tally } from './tally.ts'

const anywhere = { isCi: false }

test('the last line counts what passed, failed and was skipped', () => {
  const counted = tally(anywhere)
  counted.passed()
  assert.equal(counted.summary().at(-1), '1 passed, 0 failed')
  assert.ok(counted.succeeded())

  assert.match(
    counted.failed('a.test.ts', 'it holds', new Error('it does not')),
    /a\.test\.ts: it holds\n.*it does not/,
  )
  counted.skipped('b.test.ts', 'it is fast', 'no clock here')

  assert.equal(counted.summary().at(-1), '1 passed, 1 failed, 1 skipped')
  assert.ok(counted.summary().includes('  b.test.ts: it is fast: no clock here'))
  assert.ok(!counted.succeeded())
})

test('a run in which nothing passed has not succeeded', () => {
  assert.ok(!tally(anywhere).succeeded())
})

test('a test that failed for one inside it is not counted twice', () => {
  const counted = tally(anywhere)
  assert.equal(counted.failed('a', 'outer', { failureType: 'subtestsFailed' }), '')
  assert.equal(counted.summary().at(-1), '0 passed, 0 failed')
})

test('on CI a skipped test is a failure', () => {
  const counted = tally({ isCi: true })
  assert.match(counted.skipped('a', 'b', 'no PostgreSQL') ?? '', /CI does not allow/)
  assert.equal(counted.summary().at(-1), '0 passed, 1 failed')
})
