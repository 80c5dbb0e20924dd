import type { Ms, World } from '../../trusted/base/world.ts'
import type { Job, Store } from '../store/store.ts'
import type { Timers } from '../outside/timers.ts'
import { isStoreOutage } from '../store/outage.ts'
import { StoreError } from '../store/store-error.ts'
import { failureText } from './failure-text.ts'
import type { Outcome, Prepared } from './outcome.ts'
import { AUDIT } from '../store/audit-target.ts'
import { nextAttemptAt, nextAuditAttemptAt, nextMailAttemptAt } from './retry-schedule.ts'
import type { ConcurrencyLimiter } from './concurrency-limiter.ts'

/** The outcome of an attempt, or `dead-lettered` after the last failed one. */
export type Ending = Outcome['kind'] | 'deadLettered'

export type CarryParts = {
  readonly store: Pick<Store, 'postponeJob' | 'putBackJob' | 'deadLetterJob'>
  /** Finishes a job; returns the next one of its ordering key, if that was handed out at once. */
  readonly finish: (sequence: number) => Promise<Job | undefined>
  /**
   * Finds the destination of a job, or that nothing has to be sent.
   *
   * @param now  the clock of all hosts
   */
  readonly prepare: (job: Job, now: () => Ms) => Promise<Prepared | Outcome>
  readonly world: World
  readonly timers: Timers
  readonly onEnded: (carried: {
    readonly kind: Job['kind']
    readonly ending: Ending
    readonly seconds: number
    readonly job: Job
  }) => void
  /** An unexpected error; the job is tried again nevertheless. */
  readonly onBug: (bug: unknown) => void
}

/** The shortest and the longest wait of a job that lost its place, before it is handed out again. */
const PUT_BACK_MS = 5_000
const PUT_BACK_MS_MAX = 60_000
/** The pause before an outcome is written again that the store could not take. */
const WRITE_AGAIN_MS = 1_000
/** From the hand-out. Shorter than a lease: after it, another host may have the job. */
const WRITTEN_WITHIN_MS = 80_000

/**
 * Makes one attempt at a job as soon as there is room, and writes its outcome. Never rejects.
 *
 * @returns  the next job of its ordering key, if that was handed out at once
 */
export async function carry(
  parts: CarryParts,
  limiter: ConcurrencyLimiter,
  job: Job,
): Promise<Job | undefined> {
  const { store, world, onBug } = parts
  const startedAt = world.now()
  try {
    const outcome = await attempt(parts, limiter, job)
    const settled = await throughOutage(parts, limiter, startedAt + WRITTEN_WITHIN_MS, async () => {
      if (outcome !== undefined) return await settle(parts, job, outcome)
      await store.putBackJob(job, world.now() + (limiter.isClosed() ? 0 : putBackMs(parts, job, startedAt)))
      return undefined
    })
    if (settled === undefined) return undefined
    const { ending, next } = settled
    parts.onEnded({ kind: job.kind, ending, seconds: (world.now() - startedAt) / 1000, job })
    return next
  } catch (error) {
    // Without the store the outcome cannot be written: the lease ends, and the job is tried again.
    if (!isPassing(error)) onBug(error)
    return undefined
  }
}

/**
 * A job that waited for long is due at once: otherwise a destination would be idle while a crowd, whose waits ended
 * together, is put back. One that lost its place waits half of its age: what comes in a burst is soon handed out again,
 * and thousands for a place that takes none are not written again every few seconds.
 */
function putBackMs({ world }: CarryParts, { createdAt }: Job, handedOutAt: Ms): Ms {
  const now = world.now()
  if (now - handedOutAt >= PUT_BACK_MS) return 0
  return Math.min(Math.max(PUT_BACK_MS, Math.floor((now - createdAt) / 2)), PUT_BACK_MS_MAX)
}

/** Otherwise an outage of a second would delay the job to the end of its lease, and then repeat what was sent. */
async function throughOutage<Result>(
  { world, timers }: CarryParts,
  limiter: ConcurrencyLimiter,
  until: Ms,
  write: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isStoreOutage(error) || limiter.isClosed() || world.now() >= until) throw error
      await new Promise<void>((resolve) => void timers.after(WRITE_AGAIN_MS, resolve))
    }
  }
}

/** The store is unreachable for a while, or closed. */
export function isPassing(error: unknown): boolean {
  return error instanceof StoreError
}

/** Undefined if the attempt found no room, or the store could not be read for it. */
async function attempt(
  { prepare, world, onBug }: CarryParts,
  limiter: ConcurrencyLimiter,
  job: Job,
): Promise<Outcome | undefined> {
  try {
    const prepared = await prepare(job, world.now)
    return prepared.kind === 'ready' ? await limiter.enter(prepared, prepared.attempt) : prepared
  } catch (error) {
    if (isPassing(error)) return undefined
    onBug(error)
    return { kind: 'failed', failure: 'a bug of the service, which its log tells more of' }
  }
}

/** Jobs of the audit stream never become dead letters. */
function nextAt(job: Job, world: World, askedMs: Ms | undefined): number | undefined {
  if (job.kind === 'email') return nextMailAttemptAt(job, world)
  const isAudit = job.kind === 'webhook' && job.webhook.scope === AUDIT.scope
  return isAudit ? nextAuditAttemptAt(job, world) : nextAttemptAt(job, world, askedMs)
}

type Settled = { readonly ending: Ending; readonly next?: Job | undefined }

async function settle({ store, finish, world }: CarryParts, job: Job, outcome: Outcome): Promise<Settled> {
  const { sequence, attempts } = job
  if (outcome.kind === 'delivered' || outcome.kind === 'dropped')
    return { ending: outcome.kind, next: await finish(sequence) }
  const { kind } = outcome
  const failure = failureText(outcome.failure)
  const dueAt = outcome.kind === 'failed' ? nextAt(job, world, outcome.retryAfterMs) : undefined
  if (dueAt !== undefined) {
    await store.postponeJob(job, { dueAt, failure })
    return { ending: 'failed' }
  }
  const last = kind === 'failed' ? ` (given up after ${attempts + 1} attempts)` : ''
  await store.deadLetterJob(sequence, { failure: `${failure}${last}` })
  return { ending: kind === 'failed' ? 'deadLettered' : 'refused' }
}
