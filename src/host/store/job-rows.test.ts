import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobRecord, NewJob } from './job-columns.ts'
import { jobOf, jobsHandedOut, messageJob, webhookJob } from './job-rows.ts'
import { aJob } from './testing/fixtures.ts'

const WEBHOOK = { scope: 'org', target: 'w', organizationId: 'org', activityId: 'a', revision: 1 }

test('a job is read as it was written', () => {
  const message = jobOf(stored(messageJob(aJob('mail'))))
  assert.deepEqual(message.kind === 'email' && message.row, aJob('mail'))
  const webhook = jobOf(stored(webhookJob(WEBHOOK, 5)))
  assert.deepEqual(webhook.kind === 'webhook' && webhook.webhook, WEBHOOK)
})

test('a stored job that lacks a part of it is malformed, and is not handed out', async () => {
  const webhook = stored(webhookJob(WEBHOOK, 5))
  const message = stored(messageJob(aJob('mail')))
  const malformed = [
    ...['scope', 'target', 'activityId', 'revision'].map((field) => ({ ...webhook, [field]: null })),
    ...['jobId', 'seal'].map((field) => ({ ...message, [field]: null })),
  ]
  for (const record of malformed) assert.equal(jobOf(record).kind, 'malformed', JSON.stringify(record))
  const dead: number[] = []
  const numbered = [message, ...malformed, webhook].map((record, sequence) => ({ ...record, sequence }))
  const jobs = await jobsHandedOut(numbered, async (sequence) => void dead.push(sequence))
  assert.deepEqual(
    [jobs.map(({ sequence }) => sequence), dead],
    [
      [0, 7],
      [1, 2, 3, 4, 5, 6],
    ],
  )
})

function stored(job: NewJob): JobRecord {
  return { ...job, sequence: 1, attempts: 0, failure: null }
}
