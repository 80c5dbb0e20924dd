import { assert } from '../../../trusted/base/assert.ts'
import type { DirectoryEntry, Unit } from '../../../trusted/catalogue/unit.ts'
import { countJobs } from '../job-counts.ts'
import type { JobRecord, NewJob } from '../job-columns.ts'
import { jobOf, messageJob, webhookJob, webhookOf } from '../job-rows.ts'
import { webhookOrderingKey } from '../ordering-keys.ts'
import { tenantOf } from '../tenant-of.ts'
import type { HandedOut, Job, Lease, Store, WebhookJob } from '../store.ts'

/** The promises of a store about jobs, in the plainest form. */
export type MemoryJobs = {
  /** After the rest of the unit: `directory` is its state after the unit. */
  readonly ofUnit: (unit: Unit, directory: readonly DirectoryEntry[]) => void
  readonly take: (request: Parameters<Store['takeJobs']>[0]) => readonly Job[]
  readonly finish: (sequence: number, next?: Lease) => Job | undefined
  readonly postpone: (
    handedOut: HandedOut,
    retry: { readonly dueAt: number; readonly failure: string },
  ) => void
  readonly putBack: (handedOut: HandedOut, dueAt: number) => void
  readonly deadLetter: (sequence: number, failure: string) => void
  readonly dead: () => readonly Job[]
  readonly revive: (sequences: readonly number[], now: number) => number
  readonly addWebhooks: (webhooks: readonly WebhookJob[], now: number) => void
  readonly counts: () => Awaited<ReturnType<Store['jobCounts']>>
}

type Kept = NewJob & { readonly sequence: number; attempts: number; failure: string | null; dead: 0 | 1 }
type OrderingKey = { dueAt: number; takenAt: number | undefined; readonly tenant: string }

/** What this model was given is complete. */
function ownJob(record: JobRecord): Job {
  const job = jobOf(record)
  assert(job.kind !== 'malformed', 'a job has all its parts')
  return job
}

export function memoryJobs(): MemoryJobs {
  const jobs: Kept[] = []
  const orderingKeys = new Map<string, OrderingKey>()
  let sequence = 0

  let lastTenant = ''

  const put = (job: NewJob, dueAt: number, tenant: string): void => {
    jobs.push({ ...job, sequence: (sequence += 1), attempts: 0, failure: null, dead: 0 })
    if (!orderingKeys.has(job.orderingKey))
      orderingKeys.set(job.orderingKey, { dueAt, takenAt: undefined, tenant })
  }
  const waiting = (orderingKey: string) =>
    jobs.filter((job) => job.orderingKey === orderingKey && job.dead === 0)
  const find = (wanted: number) => jobs.find((job) => job.sequence === wanted)
  const isFirst = (job: Kept) => waiting(job.orderingKey)[0] === job
  const remove = (job: Kept) => jobs.splice(jobs.indexOf(job), 1)
  /** The first due ordering key of each of the next tenants, which are few here. */
  const inTurn = (due: readonly (readonly [string, OrderingKey])[], limit: number) => {
    const tenants = [...new Set([...orderingKeys.values()].map(({ tenant }) => tenant))]
    const found: (readonly [string, OrderingKey])[] = []
    for (const tenant of tenants.filter((name) => name > lastTenant).sort()) {
      const first = due.find(([, orderingKey]) => orderingKey.tenant === tenant)
      if (first !== undefined) found.push(first)
      lastTenant = tenant
      if (found.length === limit) return found
    }
    lastTenant = ''
    return found
  }
  const moveOn = (name: string): void => {
    const orderingKey = orderingKeys.get(name)
    if (waiting(name).length === 0) orderingKeys.delete(name)
    else if (orderingKey !== undefined) orderingKey.dueAt = orderingKey.takenAt ?? orderingKey.dueAt
  }

  const handOut = (name: string, { now, leaseMs }: Lease): Job | undefined => {
    const [job] = waiting(name)
    if (job === undefined) return undefined
    Object.assign(orderingKeys.get(name) ?? {}, { dueAt: now + leaseMs, takenAt: now })
    return ownJob({ ...job, attempts: job.attempts++ })
  }

  return {
    ofUnit: ({ jobs: messages, activity, revived }, directory) => {
      for (const row of messages) put(messageJob(row), row.createdAt, tenantOf(activity, row.organizationId))
      if (revived !== undefined) {
        const orderingKey = webhookOrderingKey(revived)
        const dead = jobs.filter((job) => job.dead === 1 && job.orderingKey === orderingKey)
        for (const job of dead.filter(({ sequence: number }) => revived.sequences.includes(number))) {
          remove(job)
          put(job, activity?.row.updatedAt ?? job.createdAt, tenantOf(activity, revived.scope))
        }
      }
      for (const scope of new Set(activity?.audience))
        for (const { target } of directory
          .filter((entry) => entry.scope === scope && entry.kind === 'WEBHOOK' && entry.value === '')
          .sort((a, b) => (a.target < b.target ? -1 : 1)))
          if (activity !== undefined)
            put(webhookOf(activity.row, { scope, target }), activity.row.updatedAt, tenantOf(activity, scope))
    },
    take: ({ now, leaseMs, limit }) => {
      const due = [...orderingKeys]
        .filter(([, orderingKey]) => orderingKey.dueAt <= now)
        .sort(([a, left], [b, right]) => left.dueAt - right.dueAt || (a < b ? -1 : 1))
      return [...new Set([...(due.length < limit ? [] : inTurn(due, limit)), ...due])]
        .slice(0, limit)
        .flatMap(([name]) => handOut(name, { now, leaseMs }) ?? [])
    },
    finish: (wanted, next) => {
      const job = find(wanted)
      if (job === undefined) return undefined
      const first = isFirst(job)
      remove(job)
      if (!first) return undefined
      moveOn(job.orderingKey)
      return next === undefined ? undefined : handOut(job.orderingKey, next)
    },
    postpone: ({ sequence: wanted, attempts }, { dueAt, failure }) => {
      const job = find(wanted)
      if (job === undefined || job.dead === 1 || job.attempts !== attempts + 1) return
      job.failure = failure
      const orderingKey = orderingKeys.get(job.orderingKey)
      if (isFirst(job) && orderingKey !== undefined) orderingKey.dueAt = dueAt
    },
    putBack: ({ sequence: wanted, attempts }, dueAt) => {
      const job = find(wanted)
      const orderingKey = job && orderingKeys.get(job.orderingKey)
      if (job === undefined || orderingKey === undefined || !isFirst(job)) return
      if (job.attempts !== attempts + 1) return
      job.attempts = attempts
      orderingKey.dueAt = dueAt
    },
    deadLetter: (wanted, failure) => {
      const job = find(wanted)
      if (job === undefined || job.dead === 1) return
      const first = isFirst(job)
      Object.assign(job, { dead: 1, failure })
      if (first) moveOn(job.orderingKey)
    },
    dead: () => jobs.filter((job) => job.dead === 1).map(ownJob),
    revive: (sequences, now) => {
      const found = jobs.filter((job) => job.dead === 1 && sequences.includes(job.sequence))
      for (const job of found) {
        remove(job)
        put(job, now, job.scope ?? job.organizationId)
      }
      return found.length
    },
    addWebhooks: (webhooks, now) => {
      for (const webhook of webhooks) put(webhookJob(webhook, now), now, webhook.scope)
    },
    counts: () =>
      countJobs(
        jobs.map(({ kind, dead }) => {
          const alike = jobs.filter((other) => other.kind === kind && other.dead === dead)
          return {
            kind,
            dead,
            count: alike.length,
            oldestAt: Math.min(...alike.map((item) => item.createdAt)),
          }
        }),
      ),
  }
}
