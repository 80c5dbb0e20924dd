import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completedAttempt, RECOVERY_ATTEMPT_FEATURE } from './organization-recovery.ts'

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
