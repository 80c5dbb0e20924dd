import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import type { Vault } from '../../../protocol/vault.ts'
import { isOwnError } from '../../link/own-error.ts'
import { checkedRecords } from '../../pipeline/checked-read.ts'
import { AUDIT, AUDIT_ORDERING_KEY } from '../../store/audit-target.ts'
import type { Job, MalformedJob, Store, WebhookJob } from '../../store/store.ts'
import type { Prepared } from '../outcome.ts'
import { activityEvent, type AuditEvent, eventIn, plainEvent } from './audit-event.ts'
import type { AuditSink } from './audit-sink.ts'

type AuditParts = {
  readonly store: Pick<Store, 'activity' | 'jobsOf' | 'finishBehind' | 'confirmer'>
  readonly vault: Pick<Vault, 'check'>
  readonly sink: AuditSink
}

type AuditJob = Extract<Job, { readonly kind: 'webhook' }>

/** Reported in one attempt. */
const TOGETHER_MAX = 100
/** One call to the vault verifies some 200 million characters at most. */
const PORTION_CHARACTERS = 8 * 1024 * 1024
const READ_AT_ONCE_MAX = 20

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

function isAuditJob(job: Job | MalformedJob): job is AuditJob {
  return job.kind === 'webhook'
}

async function eventsOf(parts: AuditParts, jobs: readonly AuditJob[]): Promise<readonly AuditEvent[]> {
  const told = new Map<string, AuditEvent>()
  const wanted = Map.groupBy(
    jobs.map(({ webhook }) => webhook).filter(({ activityId }) => !activityId.startsWith('{')),
    keyOf,
  )
  for await (const row of checkedRows(
    parts,
    [...wanted.values()].flatMap(([first]) => first ?? []),
  ))
    for (const { revision } of wanted.get(keyOf(row)) ?? [])
      if (revision >= 1 && revision <= row.revision)
        told.set(`${keyOf(row)} ${revision}`, activityEvent(row, revision))
  return jobs.map(({ webhook, sequence, createdAt }) => {
    const event = told.get(`${keyOf(webhook)} ${webhook.revision}`) ?? eventIn(webhook.activityId)
    return event ?? plainEvent('unreadable', `job-${sequence}`, createdAt)
  })
}

/**
 * The records that the vault has verified, in portions, because a record can have megabytes. A record that cannot be
 * verified must not delay the others: once a portion has one, each is verified alone.
 */
async function* checkedRows(
  parts: AuditParts,
  webhooks: readonly WebhookJob[],
): AsyncGenerator<ActivityRow, void> {
  let isEachAlone = false
  for (let rest = webhooks; rest.length > 0; ) {
    const portion = isEachAlone ? rest.slice(0, 1) : rest
    const rows = await verified(parts, portion)
    if (rows === undefined && !isEachAlone) {
      isEachAlone = true
      continue
    }
    yield* rows ?? []
    const last = isEachAlone ? undefined : rows?.at(-1)
    // Without any row, none of the portion exists.
    const done = last === undefined ? portion.length : rest.findIndex((one) => keyOf(one) === keyOf(last)) + 1
    rest = rest.slice(done)
  }
}

/** Undefined if the vault does not verify all of them. */
async function verified(
  parts: AuditParts,
  webhooks: readonly WebhookJob[],
): Promise<readonly ActivityRow[] | undefined> {
  try {
    return await checkedRecords(parts, () => firstOf(parts.store, webhooks))
  } catch (error) {
    if (isOwnError(error)) return undefined
    throw error
  }
}

/** The first existing records among them, until the portion is complete. */
async function firstOf(
  { activity }: AuditParts['store'],
  webhooks: readonly WebhookJob[],
): Promise<readonly ActivityRow[]> {
  const rows: ActivityRow[] = []
  let characters = 0
  for (let start = 0; start < webhooks.length && characters < PORTION_CHARACTERS; start += READ_AT_ONCE_MAX)
    for (const row of await Promise.all(
      webhooks
        .slice(start, start + READ_AT_ONCE_MAX)
        .map(({ organizationId, activityId }) => activity(organizationId, activityId)),
    )) {
      if (row === undefined) continue
      rows.push(row)
      characters += row.votes.length + row.intent.length
    }
  return rows
}

function keyOf({ organizationId, activityId }: Pick<WebhookJob, 'organizationId' | 'activityId'>): string {
  return `${organizationId} ${activityId}`
}
