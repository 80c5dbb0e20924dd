import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ending } from '../delivery/attempt-job.ts'
import { AUDIT } from '../store/audit-target.ts'
import type { Job } from '../store/store.ts'
import { tracedDelivery } from './traced.ts'

const common = { sequence: 7, orderingKey: 'x', attempts: 2, createdAt: 5, failure: 'HTTP 500' }
const webhook = { target: 'endpoint', organizationId: 'sub', activityId: 'act', revision: 1 }
const traced = (job: Job, ending: Ending = 'delivered') =>
  tracedDelivery({ kind: job.kind, ending, seconds: 1.5, job }, 10_000)

test('a delivery is a span from its begin to its end, with the ids of what it tells and no address', () => {
  assert.deepEqual(traced({ ...common, kind: 'webhook', webhook: { ...webhook, scope: 'parent' } }), {
    name: 'deliver webhook',
    kind: 'delivery',
    from: 8_500,
    to: 10_000,
    isError: false,
    attributes: {
      'claviger.delivery.kind': 'webhook',
      'claviger.delivery.ending': 'delivered',
      'claviger.delivery.attempt': 3,
      'claviger.organization.id': 'sub',
      'claviger.activity.id': 'act',
    },
    stages: [],
  })
})

test('a line of the audit stream is no webhook', () => {
  const { name, attributes } = traced({
    ...common,
    kind: 'webhook',
    webhook: { ...webhook, scope: AUDIT.scope },
  })
  assert.deepEqual([name, attributes['claviger.delivery.kind']], ['deliver audit', 'audit'])
})

test('a message is a span without ids and without what it says', () => {
  const row = { jobId: 'secret', organizationId: 'org', kind: 'email', seal: 'secret', createdAt: 5 } as const
  const span = traced({ ...common, kind: 'email', row })
  assert.equal(span.name, 'deliver email')
  assert.ok(!JSON.stringify(span).includes('secret'))
})

test('a span is an error where the delivery failed, and not where nothing was to be sent', () => {
  const job: Job = { ...common, kind: 'webhook', webhook: { ...webhook, scope: 'parent' } }
  const endings = ['delivered', 'dropped', 'failed', 'refused', 'deadLettered'] as const
  assert.deepEqual(
    endings.map((ending) => traced(job, ending).isError),
    [false, false, true, true, true],
  )
})
