import type { Ms, World } from '../../trusted/base/world.ts'
import type { Job, Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import { failureText } from './failure-text.ts'
import type { Outcome, Prepared } from './outcome.ts'
import { AUDIT } from '../store/audit-target.ts'
import { nextAttemptAt, nextAuditAttemptAt } from './retry-schedule.ts'
import type { ConcurrencyLimiter } from './concurrency-limiter.ts'

/** The outcome of an attempt, or `dead-lettered` after the last failed one. */
export type Ending = Outcome['kind'] | 'deadLettered'

export type CarryParts = {
  readonly store: Pick<Store, 'finishJob' | 'postponeJob' | 'putBackJob' | 'deadLetterJob'>
  /**
   * Finds the destination of a job, or that nothing has to be sent.
   *
   * @param now  the clock of all hosts
   */
  readonly prepare: (job: Job, now: () => Ms) => Promise<Prepared | Outcome>
  readonly world: World
  readonly onEnded: (carried: {
    readonly kind: Job['kind']
    readonly ending: Ending
    readonly seconds: number
    readonly job: Job
  }) => void
  /** An unexpected error; the job is tried again nevertheless. */
  readonly onBug: (bug: unknown) => void
}

/** The shortest and the longest wait of a job that found no room, before it is handed out again. */
const PUT_BACK_MS = 5_000
const PUT_BACK_MS_MAX = 60_000

/** Makes one attempt at a job as soon as there is room, and writes its outcome. Never rejects. */
export async function carry(parts: CarryParts, limiter: ConcurrencyLimiter, job: Job): Promise<void> {
  const { store, world, onBug } = parts
  const startedAt = world.now()
  try {
    const outcome = await attempt(parts, limiter, job)
    if (outcome !== undefined) {
      const ending = await settle(parts, job, outcome)
      parts.onEnded({ kind: job.kind, ending, seconds: (world.now() - startedAt) / 1000, job })
    } else await store.putBackJob(job, world.now() + (limiter.isClosed() ? 0 : putBackMs(job, world)))
  } catch (error) {
    // Without the store the outcome cannot be written: the lease ends, and the job is tried again.
    if (!isPassing(error)) onBug(error)
  }
}

/**
 * Half of what the job has waited so far: what comes in a burst is soon handed out again, and thousands for a place
 * that takes none are not written again every few seconds.
 */
function putBackMs({ createdAt }: Job, { now }: World): number {
  return Math.min(Math.max(PUT_BACK_MS, Math.floor((now() - createdAt) / 2)), PUT_BACK_MS_MAX)
}

/** The store is unreachable for a while, or closed. */
export function isPassing(error: unknown): boolean {
  return error instanceof StoreError
}

async function attempt(
  { prepare, world, onBug }: CarryParts,
  limiter: ConcurrencyLimiter,
  job: Job,
): Promise<Outcome | undefined> {
  try {
    const prepared = await prepare(job, world.now)
    return prepared.kind === 'ready' ? await limiter.enter(prepared, prepared.attempt) : prepared
  } catch (error) {
    if (isPassing(error)) throw error
    onBug(error)
    return { kind: 'failed', failure: 'a bug of the service, which its log tells more of' }
  }
}

/** Jobs of the audit stream never become dead letters. */
function nextAt(job: Job, world: World): number | undefined {
  const isAudit = job.kind === 'webhook' && job.webhook.scope === AUDIT.scope
  return isAudit ? nextAuditAttemptAt(job, world) : nextAttemptAt(job, world)
}

async function settle({ store, world }: CarryParts, job: Job, outcome: Outcome): Promise<Ending> {
  const { sequence, attempts } = job
  if (outcome.kind === 'delivered' || outcome.kind === 'dropped') {
    await store.finishJob(sequence)
    return outcome.kind
  }
  const { kind } = outcome
  const failure = failureText(outcome.failure)
  const dueAt = kind === 'failed' ? nextAt(job, world) : undefined
  if (dueAt !== undefined) {
    await store.postponeJob(sequence, { dueAt, failure })
    return 'failed'
  }
  const last = kind === 'failed' ? ` (given up after ${attempts + 1} attempts)` : ''
  await store.deadLetterJob(sequence, { failure: `${failure}${last}` })
  return kind === 'failed' ? 'deadLettered' : 'refused'
}
