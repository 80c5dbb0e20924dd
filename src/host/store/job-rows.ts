import { assert } from '../../trusted/base/assert.ts'
import type { ActivityRow, JobRow } from '../../trusted/catalogue/unit.ts'
import { messageOrderingKey, webhookOrderingKey } from './ordering-keys.ts'
import type { Job, WebhookJob } from './store.ts'

/** A job as it is put down: all but what the engine adds (its number) and what changes while it is carried. */
export type NewJob = {
  readonly orderingKey: string
  readonly kind: Job['kind']
  readonly createdAt: number
  readonly organizationId: string
  /** Of a message; null for a webhook. */
  readonly jobId: string | null
  readonly seal: string | null
  /** Of a webhook; null for a message. */
  readonly scope: string | null
  readonly target: string | null
  readonly activityId: string | null
  readonly revision: number | null
}

/** A job as it is read. */
export type JobRecord = NewJob & Pick<Job, 'sequence' | 'attempts' | 'failure'>

export const newJobColumns = {
  orderingKey: 'lane',
  kind: 'kind',
  createdAt: 'created_at',
  organizationId: 'organization_id',
  jobId: 'errand_id',
  seal: 'seal',
  scope: 'scope',
  target: 'target',
  activityId: 'activity_id',
  revision: 'revision',
} as const satisfies Record<keyof NewJob, string>

export const jobColumns = {
  sequence: 'sequence',
  attempts: 'attempts',
  failure: 'failure',
  ...newJobColumns,
} as const satisfies Record<keyof JobRecord, string>

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

/** The webhook that tells one target of an activity as it now is. */
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
