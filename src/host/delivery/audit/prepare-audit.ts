import { Bug } from '../../../trusted/base/assert.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import type { Vault } from '../../../protocol/vault.ts'
import { checkedRecords } from '../../pipeline/checked-read.ts'
import { AUDIT, AUDIT_ORDERING_KEY } from '../../store/audit-target.ts'
import type { Job, Store, WebhookJob } from '../../store/store.ts'
import type { Prepared } from '../outcome.ts'
import { activityEvent, type AuditEvent, eventIn, plainEvent } from './audit-event.ts'
import type { AuditSink } from './audit-sink.ts'

type AuditParts = {
  readonly store: Pick<Store, 'activity' | 'jobsOf' | 'finishBehind' | 'confirmer'>
  readonly vault: Pick<Vault, 'check'>
  readonly sink: AuditSink
}

type AuditJob = Extract<Job, { readonly kind: 'webhook' }>

/** Their records are read in one turn of the event loop. */
const TOGETHER_MAX = 100

/** Reports the first waiting event to the audit stream, together with those behind it, in one attempt. */
export function prepareAudit(parts: AuditParts, first: AuditJob): Prepared {
  const { store, sink } = parts
  return {
    kind: 'ready',
    place: 'audit stream',
    tenant: AUDIT.scope,
    organization: AUDIT.scope,
    attempt: async () => {
      const page = { limit: TOGETHER_MAX - 1, after: first.sequence }
      const behind = (await store.jobsOf(AUDIT_ORDERING_KEY, 'waiting', page)).filter(isAuditJob)
      const events = await eventsOf(parts, [first, ...behind])
      try {
        await sink(events)
      } catch (error) {
        return { kind: 'failed', failure: error instanceof Error ? error.message : String(error) }
      }
      await store.finishBehind(
        AUDIT_ORDERING_KEY,
        behind.map(({ sequence }) => sequence),
      )
      return { kind: 'delivered' }
    },
  }
}

function isAuditJob(job: Job): job is AuditJob {
  return job.kind === 'webhook'
}

async function eventsOf(parts: AuditParts, jobs: readonly AuditJob[]): Promise<readonly AuditEvent[]> {
  const wanted = new Map(jobs.map(({ webhook }) => [keyOf(webhook), webhook]))
  const rows = await checkedRows(parts, [...wanted.values()])
  return jobs.map(({ webhook, sequence, createdAt }) => {
    const { activityId, revision } = webhook
    const row = rows.get(keyOf(webhook))
    const isTold = row !== undefined && revision >= 1 && revision <= row.revision
    const told = isTold ? activityEvent(row, revision) : eventIn(activityId)
    return told ?? plainEvent('unreadable', `job-${sequence}`, createdAt)
  })
}

/** The records that the vault has verified. An altered record must not delay the others. */
async function checkedRows(
  parts: AuditParts,
  webhooks: readonly WebhookJob[],
): Promise<ReadonlyMap<string, ActivityRow>> {
  const read = async (some: readonly WebhookJob[]) =>
    await checkedRecords(parts, async () =>
      (
        await Promise.all(
          some.map(({ organizationId, activityId }) => parts.store.activity(organizationId, activityId)),
        )
      ).filter((row) => row !== undefined),
    )
  const records = webhooks.filter(({ activityId }) => !activityId.startsWith('{'))
  try {
    return byKey(await read(records))
  } catch (error) {
    if (!(error instanceof Bug)) throw error
    const each = await Promise.allSettled(records.map((webhook) => read([webhook])))
    return byKey(each.flatMap((found) => (found.status === 'fulfilled' ? found.value : [])))
  }
}

function byKey(rows: readonly ActivityRow[]): ReadonlyMap<string, ActivityRow> {
  return new Map(rows.map((row) => [keyOf(row), row]))
}

function keyOf({ organizationId, activityId }: Pick<WebhookJob, 'organizationId' | 'activityId'>): string {
  return `${organizationId} ${activityId}`
}
