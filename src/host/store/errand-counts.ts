import type { Errand, Store } from './store.ts'

type Counts = Awaited<ReturnType<Store['errandCounts']>>

/** How many errands there are of one kind, waiting or dead, and when the oldest of them was made. */
export type ErrandGroup = {
  readonly kind: Errand['kind']
  readonly dead: 0 | 1
  readonly count: number
  readonly oldestAt: number
}

/** Nobody who looks at the service makes it count further than this, however much waits. */
export const ERRANDS_COUNTED_MAX = 10_000

/** Every kind has its line, also when there is nothing of it, so that a graph of it falls to zero rather than ending. */
export function countErrands(groups: readonly ErrandGroup[]): Counts {
  return ERRAND_KINDS.map((kind) => {
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

export const ERRAND_KINDS: readonly Errand['kind'][] = ['email', 'sms', 'webhook']
