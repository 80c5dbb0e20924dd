import type { Job, Store } from './store.ts'

type Counts = Awaited<ReturnType<Store['jobCounts']>>

/** How many jobs there are of one kind, waiting or dead, and when the oldest of them was made. */
export type JobGroup = {
  readonly kind: Job['kind']
  readonly dead: 0 | 1
  readonly count: number
  readonly oldestAt: number
}

/** Nobody who looks at the service makes it count further than this, however much waits. */
export const JOBS_COUNTED_MAX = 10_000

/**
 * Every kind has its line, also when there is nothing of it, so that a graph of it falls to zero rather than ending.
 */
export function countJobs(groups: readonly JobGroup[]): Counts {
  return JOB_KINDS.map((kind) => {
    const waiting = groups.find((group) => group.kind === kind && group.dead === 0)
    const dead = groups.find((group) => group.kind === kind && group.dead === 1)
    return {
      kind,
      waiting: waiting?.count ?? 0,
      dead: dead?.count ?? 0,
      oldestAt: waiting?.oldestAt ?? null,
    }
  })
}

export const JOB_KINDS: readonly Job['kind'][] = ['email', 'sms', 'webhook']
