import type { Ms } from '../../trusted/base/world.ts'
import { eventIdOf } from '../../trusted/vault/records/record-at.ts'
import { JOBS_COUNTED_MAX } from '../store/job-counts.ts'
import type { Job, MalformedJob, Store } from '../store/store.ts'
import { instantText } from './instant-text.ts'
import { redeliver, type Redelivery, type TellDue } from './redelivery.ts'

/** The operator's orders about jobs, carried out on the data itself or by the service that holds it. */
export type Order =
  | { readonly do: 'backlog' }
  | { readonly do: 'dead'; readonly after: number }
  | { readonly do: 'revive'; readonly sequences: readonly number[] }
  | { readonly do: 'reviveWebhooks' }
  | ({ readonly do: 'redeliver' } & Redelivery)

/** Lines to print, and the same as an object; `isRefused` if nothing was done. */
export type OrderAnswer = {
  readonly lines: readonly string[]
  readonly told: object
  readonly isRefused: boolean
}

export const DEAD_PAGE = 200

export async function carryOutOrder(
  store: Store,
  order: Order,
  now: Ms,
  tell: TellDue = () => {},
): Promise<OrderAnswer> {
  switch (order.do) {
    case 'backlog':
      return backlog(await store.jobCounts(), now)
    case 'dead': {
      const dead = await store.deadLetters({ limit: DEAD_PAGE, after: order.after })
      const last = dead.at(-1)
      const more = last !== undefined && dead.length === DEAD_PAGE ? [last.sequence] : []
      return done(
        dead.length === 0
          ? ['nothing is dead']
          : [...dead.map(deadLine), ...more.map((after) => `more: --after ${after}`)],
        { dead: dead.map(deadTold), after: more[0] ?? null },
      )
    }
    case 'revive': {
      const count = await store.reviveJobs(order.sequences, now)
      return count > 0 ? dueAgain(count) : refused('no dead letter has such a number')
    }
    case 'reviveWebhooks':
      return dueAgain(await reviveWebhooks(store, now, tell))
    case 'redeliver': {
      const outcome = await redeliver(store, order, { now, tell })
      return outcome.kind === 'added'
        ? done([`${outcome.count} due again`], { due: outcome.count })
        : refused(outcome.because)
    }
  }
}

/** An order from outside; undefined if the text is not an order. */
export function readOrder(given: { readonly [name: string]: unknown }): Order | undefined {
  const { sequences, organizationId, target } = given
  switch (given['do']) {
    case 'backlog':
    case 'reviveWebhooks':
      return { do: given['do'] }
    case 'dead': {
      const { after } = given
      return isCount(after) ? { do: 'dead', after } : undefined
    }
    case 'revive':
      return Array.isArray(sequences) && sequences.every(isCount) ? { do: 'revive', sequences } : undefined
    case 'redeliver': {
      const { from, to } = given
      if (typeof organizationId !== 'string' || typeof target !== 'string') return undefined
      return isCount(from) && isCount(to) ? { do: 'redeliver', organizationId, target, from, to } : undefined
    }
    default:
      return undefined
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

type Counts = Awaited<ReturnType<Store['jobCounts']>>[number]

/** Counts end at `countedTo`. */
function backlog(counts: readonly Counts[], now: Ms): OrderAnswer {
  return done(
    counts.map((count) => backlogLine(count, now)),
    { backlog: counts, countedTo: JOBS_COUNTED_MAX },
  )
}

function backlogLine({ kind, waiting, dead, oldestAt }: Counts, now: Ms): string {
  const oldest = oldestAt === null ? '' : `, the oldest for ${Math.round((now - oldestAt) / 1000)} s`
  return `${kind}: ${told(waiting)} waiting${oldest}; ${told(dead)} dead`
}

function told(count: number): string {
  return count < JOBS_COUNTED_MAX ? String(count) : `at least ${JOBS_COUNTED_MAX}`
}

function deadTold(job: Job | MalformedJob): object {
  const { sequence: number, kind, createdAt, attempts, failure } = job
  const about =
    job.kind === 'webhook'
      ? { eventId: eventIdOf(job.webhook), ...job.webhook }
      : job.kind === 'malformed'
        ? { organizationId: job.organizationId }
        : { jobId: job.row.jobId, organizationId: job.row.organizationId }
  return { number, kind, createdAt, attempts, failure, ...about }
}

/** Of a message only its id is shown, without its recipient and its content. */
function deadLine(job: Job | MalformedJob): string {
  const { sequence, kind, createdAt, attempts, failure } = job
  const what =
    job.kind === 'webhook'
      ? `event ${eventIdOf(job.webhook)} of organization ${job.webhook.organizationId} to ${job.webhook.target} of ${job.webhook.scope}`
      : job.kind === 'malformed'
        ? `row of organization ${job.organizationId} at the ordering key ${job.orderingKey}`
        : `message ${job.row.jobId} of organization ${job.row.organizationId}`
  return `${sequence}  ${instantText(createdAt) ?? 'no time'}  ${kind}  ${what}  attempts ${attempts}: ${failure ?? ''}`
}

/** A dead message may be too late to be useful; webhooks never are. */
async function reviveWebhooks(store: Store, now: Ms, tell: TellDue): Promise<number> {
  let count = 0
  for (let after = 0; ; ) {
    tell({ found: count, due: count })
    const dead = await store.deadLetters({ limit: DEAD_PAGE, after })
    const sequences = dead.filter(({ kind }) => kind === 'webhook').map(({ sequence }) => sequence)
    count += await store.reviveJobs(sequences, now)
    const last = dead.at(-1)
    if (last === undefined || dead.length < DEAD_PAGE) return count
    after = last.sequence
  }
}

function dueAgain(due: number): OrderAnswer {
  return done([`${due} due again`], { due })
}

function done(lines: readonly string[], told: object): OrderAnswer {
  return { lines, told, isRefused: false }
}

function refused(because: string): OrderAnswer {
  return { lines: [because], told: { refused: because }, isRefused: true }
}
