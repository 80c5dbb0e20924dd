import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completedAttempt, RECOVERY_ATTEMPT_FEATURE, recoverySetProblem } from './organization-recovery.ts'

const ATTEMPT = '01a1fb67-0000-7000-8000-000000000001'

test('an attempt is completed by the step that names it, and by nothing else that is asked of the feature', () => {
  const named = (value: string): string | undefined =>
    completedAttempt({ name: RECOVERY_ATTEMPT_FEATURE, value })
  assert.equal(named(JSON.stringify({ complete: ATTEMPT })), ATTEMPT)
  for (const value of ['', 'on', '{}', JSON.stringify({ stop: ATTEMPT })])
    assert.equal(named(value), undefined, value)
  assert.equal(completedAttempt({ name: RECOVERY_ATTEMPT_FEATURE }), undefined)
  assert.equal(completedAttempt(undefined), undefined)
})

test('a set may have sixteen shares, ask for all of them, and wait for a month, and no more', () => {
  const publicKey = '026b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'
  const problemOf = (set: object): string | undefined =>
    recoverySetProblem(JSON.stringify({ publicKey, threshold: 2, shares: 3, delayHours: 72, ...set }))
  for (const set of [
    {},
    { threshold: 3 },
    { shares: 16 },
    { threshold: 16, shares: 16 },
    { delayHours: 720 },
  ])
    assert.equal(problemOf(set), undefined)
  assert.equal(recoverySetProblem('two of three'), 'it takes JSON')
  const shares = 'it must have at most 16 shares, and a threshold of at most all of them'
  assert.equal(problemOf({ threshold: 4 }), shares)
  assert.equal(problemOf({ shares: 17 }), shares)
  assert.equal(problemOf({ delayHours: 721 }), 'it.delayHours must be at most 720, not 721')
})
