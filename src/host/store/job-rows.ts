import type { ActivityRow, JobRow } from '../../trusted/catalogue/unit.ts'
import type { JobRecord, NewJob } from './job-columns.ts'
import { messageOrderingKey, webhookOrderingKey } from './ordering-keys.ts'
import type { Job, MalformedJob, WebhookJob } from './store.ts'

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

/**
 * The jobs among what was handed out. A malformed row becomes a dead letter, because it would otherwise stop each look
 * for due jobs, and so the deliveries of all organizations.
 *
 * @param deadLetter  `deadLetterJob` of the store, in a write of its own
 */
export async function jobsHandedOut(
  records: readonly JobRecord[],
  deadLetter: (sequence: number, last: { readonly failure: string }) => Promise<void>,
): Promise<readonly Job[]> {
  const jobs: Job[] = []
  for (const job of records.map(jobOf))
    if (job.kind === 'malformed') await deadLetter(job.sequence, { failure: MALFORMED })
    else jobs.push(job)
  return jobs
}

const MALFORMED = 'the row of this job in the database is malformed: it was changed outside of the service'

/** Any program may have written the row, and in a list one that is malformed must not hide the others. */
export function jobOf(record: JobRecord): Job | MalformedJob {
  const { sequence, orderingKey, attempts, createdAt, failure, kind, organizationId } = record
  const head = { sequence, orderingKey, attempts, createdAt, failure }
  const { scope, target, activityId, revision, jobId, seal } = record
  if (kind === 'webhook' && scope !== null && target !== null && activityId !== null && revision !== null)
    return { ...head, kind, webhook: { scope, target, organizationId, activityId, revision } }
  if ((kind === 'email' || kind === 'sms') && jobId !== null && seal !== null)
    return { ...head, kind, row: { organizationId, jobId, kind, seal, createdAt } }
  return { ...head, kind: 'malformed', organizationId }
}
