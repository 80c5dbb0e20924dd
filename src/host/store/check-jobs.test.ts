import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFailure, checkInstant, checkWebhook } from './check-jobs.ts'
import { ENTRY_BYTES_MAX } from './check-unit.ts'

const WEBHOOK = { scope: 'org', target: 'w', organizationId: 'org', activityId: 'a', revision: 1 }

test('a webhook that one engine would alter or refuse is refused by both', () => {
  const longest = { ...WEBHOOK, target: 'w'.repeat(ENTRY_BYTES_MAX - 'org'.length) }
  for (const webhook of [WEBHOOK, longest]) checkWebhook(webhook)
  for (const field of ['scope', 'target', 'organizationId', 'activityId'])
    for (const text of ['a\0', '\ud800']) refused(() => checkWebhook({ ...WEBHOOK, [field]: text }))
  refused(() => checkWebhook({ ...longest, scope: 'orgs' }))
  for (const revision of [-1, 0.5, 2 ** 53]) refused(() => checkWebhook({ ...WEBHOOK, revision }))
})

test('a failure is plain text, and an instant is a whole number', () => {
  checkFailure('HTTP 503')
  refused(() => checkFailure('\0'))
  checkInstant(-1)
  for (const at of [0.5, 2 ** 53, Number.NaN]) refused(() => checkInstant(at))
})

function refused(check: () => void): void {
  assert.throws(check, { name: 'Bug' })
}
