import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobRecord, NewJob } from './job-columns.ts'
import { jobOf, messageJob, webhookJob } from './job-rows.ts'
import { aJob } from './testing/fixtures.ts'

const WEBHOOK = { scope: 'org', target: 'w', organizationId: 'org', activityId: 'a', revision: 1 }

test('a job is read as it was written', () => {
  const message = jobOf(stored(messageJob(aJob('mail'))))
  assert.deepEqual(message.kind === 'email' && message.row, aJob('mail'))
  const webhook = jobOf(stored(webhookJob(WEBHOOK, 5)))
  assert.deepEqual(webhook.kind === 'webhook' && webhook.webhook, WEBHOOK)
})

test('a stored job that lacks a part of it is not handed out', () => {
  for (const field of ['scope', 'target', 'activityId', 'revision'])
    assert.throws(() => jobOf({ ...stored(webhookJob(WEBHOOK, 5)), [field]: null }), { name: 'Bug' }, field)
  for (const field of ['jobId', 'seal'])
    assert.throws(() => jobOf({ ...stored(messageJob(aJob('mail'))), [field]: null }), { name: 'Bug' }, field)
})

function stored(job: NewJob): JobRecord {
  return { ...job, sequence: 1, attempts: 0, failure: null }
}
