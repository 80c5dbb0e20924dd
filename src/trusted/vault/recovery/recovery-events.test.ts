import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRecoveryText, type RecoveryEvent, recoveryText } from './recovery-events.ts'

const set = `02${'ab'.repeat(32)}`

test('a use and a rehearsal are read from the text that is written of them', () => {
  const events: readonly RecoveryEvent[] = [
    { what: 'used', set, at: 7 },
    { what: 'rehearsed', set, at: 7, shares: [1, 16] },
  ]
  for (const event of events) assert.deepEqual(readRecoveryText(recoveryText(event)), event)
})

test('a rehearsal names its shares, a use names none, and any other text is neither', () => {
  for (const text of [
    `recovery ${set} rehearsed at 7`,
    `recovery ${set} used at 7 with shares 1 16`,
    `recovery ${set} tried at 7`,
    `recovery ${set} used at 7 `,
    'restored from a copy of 6, lost at 7',
    '',
  ])
    assert.equal(readRecoveryText(text), undefined, text)
})
