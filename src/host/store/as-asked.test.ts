import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asAsked } from './as-asked.ts'
import { jobOf, webhookJob } from './job-rows.ts'
import type { Page, Store } from './store.ts'
import { aCharter, anActivity, anId, anObject } from './testing/fixtures.ts'

// The real engines stand behind this in their conformance suite; here the database answers anything.

const [A, B, C] = [anId(1), anId(2), anId(3)]
const anError = { name: 'Bug', message: /the database answers/ }

/** What the reads answer, whatever they are asked for. */
function answering(rows: {
  readonly charters?: Awaited<ReturnType<Store['charters']>>
  readonly activities?: Awaited<ReturnType<Store['activities']>>
  readonly objects?: Awaited<ReturnType<Store['objects']>>
  readonly jobs?: Awaited<ReturnType<Store['jobsOf']>>
}) {
  const { charters = [], activities = [], objects = [], jobs = [] } = rows
  return asAsked({
    charter: async () => charters[0],
    charters: async () => charters,
    activity: async () => activities[0],
    activityOfRequest: async () => activities[0],
    awaitedActivity: async () => activities[0],
    activities: async () => activities,
    objects: async () => objects,
    objectsOfKind: async () => objects,
    newestOfKind: async () => objects,
    jobsOf: async () => jobs,
  })
}

test('a charter is that of the organization that was asked for', async () => {
  const [one, other] = [aCharter('one', 1), aCharter('other', 1)]
  assert.equal(await answering({ charters: [one] }).charter('one'), one)
  assert.equal(await answering({}).charter('one'), undefined)
  await assert.rejects(answering({ charters: [one] }).charter('other'), anError)

  const both = answering({ charters: [one, other] })
  assert.deepEqual(await both.charters(['one', 'gone', 'other']), [one, other])
  await assert.rejects(both.charters(['other', 'one']), anError)
  await assert.rejects(both.charters(['one']), anError)
})

test('a record is that of the organization, the id and the request that were asked for', async () => {
  const row = anActivity({ organizationId: 'one', activityId: A, fingerprint: 'f', timestampMs: 5 })
  const reads = answering({ activities: [row] })
  assert.equal(await reads.activity('one', A), row)
  await assert.rejects(reads.activity('one', B), anError)
  await assert.rejects(reads.activity('other', A), anError)

  const request = { organizationId: 'one', fingerprint: 'f', timestampMs: 5 }
  assert.equal(await reads.activityOfRequest(request), row)
  for (const other of [{ organizationId: 'other' }, { fingerprint: 'g' }, { timestampMs: 6 }])
    await assert.rejects(reads.activityOfRequest({ ...request, ...other }), anError)

  assert.equal(await reads.awaitedActivity('one', 'f'), row)
  await assert.rejects(reads.awaitedActivity('one', 'g'), anError)
  await assert.rejects(reads.awaitedActivity('other', 'f'), anError)
})

test('a page of records is of the organization, of the filter and between its cursors, newest first and each once', async () => {
  const one = { organizationId: 'one', type: 'T', status: 'ACTIVITY_STATUS_FAILED' } as const
  const [oldest, middle, newest] = [A, B, C].map((activityId) => anActivity({ ...one, activityId }))
  assert.ok(oldest && middle && newest)
  const all: Page = { limit: 10 }
  const reads = answering({ activities: [newest, middle] })
  assert.deepEqual(await reads.activities('one', {}, all), [newest, middle])
  assert.deepEqual(await reads.activities('one', { types: ['T'] }, { ...all, before: A }), [newest, middle])
  await assert.rejects(reads.activities('other', {}, all), anError)
  await assert.rejects(reads.activities('one', { types: ['U'] }, all), anError)
  await assert.rejects(reads.activities('one', { statuses: ['ACTIVITY_STATUS_COMPLETED'] }, all), anError)
  await assert.rejects(reads.activities('one', {}, { ...all, after: C }), anError)
  await assert.rejects(reads.activities('one', {}, { ...all, before: B }), anError)
  // A client may name cursors between which nothing can be.
  assert.deepEqual(await answering({}).activities('one', {}, { ...all, before: C, after: A }), [])
  assert.deepEqual(await answering({}).activities('one', {}, { ...all, before: A, after: A }), [])
  for (const activities of [
    [middle, newest],
    [middle, middle],
  ])
    await assert.rejects(answering({ activities }).activities('one', {}, all), anError)
})

test('objects are of the organization, of the kind and of the ids that were asked for, each once', async () => {
  const [a, b] = [A, B].map((objectId) => anObject(objectId, { organizationId: 'one', kind: 'k' }))
  assert.ok(a && b)
  const up = answering({ objects: [a, b] })
  const down = answering({ objects: [b, a] })
  const twice = answering({ objects: [a, a] })

  assert.deepEqual(await up.objects('one', 'k', [A, C, B]), [a, b])
  for (const ids of [[A], [B, A], [A, C]]) await assert.rejects(up.objects('one', 'k', ids), anError)
  assert.deepEqual(await up.objectsOfKind('one', 'k', { limit: 10 }), [a, b])
  await assert.rejects(up.objectsOfKind('one', 'k', { limit: 10, after: A }), anError)
  assert.deepEqual(await down.newestOfKind('one', 'k', { limit: 10 }), [b, a])
  await assert.rejects(down.newestOfKind('one', 'k', { limit: 10, before: B }), anError)
  for (const [organizationId, kind] of [
    ['other', 'k'],
    ['one', 'l'],
  ] as const) {
    await assert.rejects(up.objects(organizationId, kind, [A, B]), anError)
    await assert.rejects(up.objectsOfKind(organizationId, kind, { limit: 10 }), anError)
    await assert.rejects(down.newestOfKind(organizationId, kind, { limit: 10 }), anError)
  }
  for (const reads of [down, twice])
    await assert.rejects(reads.objectsOfKind('one', 'k', { limit: 10 }), anError)
  for (const reads of [up, twice])
    await assert.rejects(reads.newestOfKind('one', 'k', { limit: 10 }), anError)
  await assert.rejects(twice.objects('one', 'k', [A, B]), anError)
})

test('jobs are of the ordering key that was asked for', async () => {
  const webhook = { scope: 'one', target: 'w', organizationId: 'one', activityId: A, revision: 1 }
  const job = jobOf({ ...webhookJob(webhook, 5), sequence: 1, attempts: 0, failure: null })
  const reads = answering({ jobs: [job] })
  assert.deepEqual(await reads.jobsOf('webhook one w', 'waiting', { limit: 10 }), [job])
  await assert.rejects(reads.jobsOf('webhook other w', 'waiting', { limit: 10 }), anError)
})
