import type { Job, Store } from './store.ts'

type Counts = Awaited<ReturnType<Store['jobCounts']>>

/** The number of waiting or dead jobs of one kind, and the creation time of the oldest of them. */
export type JobGroup = {
  readonly kind: Job['kind']
  readonly dead: 0 | 1
  readonly count: number
  readonly oldestAt: number
}

/** Counts end here, so monitoring stays cheap regardless of the number of waiting jobs. */
export const JOBS_COUNTED_MAX = 10_000

/** Every kind has its line, even if its count is zero, so that its graph falls to zero instead of ending. */
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
