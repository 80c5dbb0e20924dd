import { assert } from '../../trusted/base/assert.ts'
import type { ActivityRow, JobRow } from '../../trusted/catalogue/unit.ts'
import type { JobRecord, NewJob } from './job-columns.ts'
import { messageOrderingKey, webhookOrderingKey } from './ordering-keys.ts'
import type { Job, WebhookJob } from './store.ts'

export function messageJob(row: JobRow): NewJob {
  const { organizationId, jobId, kind, seal, createdAt } = row
  const none = { scope: null, target: null, activityId: null, revision: null }
  return { orderingKey: messageOrderingKey(jobId), kind, createdAt, organizationId, jobId, seal, ...none }
}

export function webhookJob(webhook: WebhookJob, createdAt: number): NewJob {
  return {
    orderingKey: webhookOrderingKey(webhook),
    kind: 'webhook',
    createdAt,
    jobId: null,
    seal: null,
    ...webhook,
  }
}

/** The webhook for one target, with the present state of an activity. */
export function webhookOf(row: ActivityRow, { scope, target }: Pick<WebhookJob, 'scope' | 'target'>): NewJob {
  const { organizationId, activityId, revision, updatedAt } = row
  return webhookJob({ scope, target, organizationId, activityId, revision }, updatedAt)
}

/** The values in the order of `newJobColumns`. */
export function newJobValues(job: NewJob): (string | number | null)[] {
  return [
    job.orderingKey,
    job.kind,
    job.createdAt,
    job.organizationId,
    job.jobId,
    job.seal,
    job.scope,
    job.target,
    job.activityId,
    job.revision,
  ]
}

export function jobOf(record: JobRecord): Job {
  const { sequence, orderingKey, attempts, createdAt, failure, kind, organizationId } = record
  const head = { sequence, orderingKey, attempts, createdAt, failure }
  if (kind === 'webhook') {
    const { scope, target, activityId, revision } = record
    assert(
      scope !== null && target !== null && activityId !== null && revision !== null,
      'a webhook names its target and the activity',
    )
    return { ...head, kind, webhook: { scope, target, organizationId, activityId, revision } }
  }
  const { jobId, seal } = record
  assert(jobId !== null && seal !== null, 'a message has an id and a seal')
  return { ...head, kind, row: { organizationId, jobId, kind, seal, createdAt } }
}
