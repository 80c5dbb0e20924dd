import type { Store } from '../../src/host/store/store.ts'

/** A store that counts the rows, ids and names it has answered; a look-up that finds nothing counts as one. */
export function countingStore(store: Store): { readonly store: Store; readonly counted: { rows: number } } {
  const counted = { rows: 0 }
  const counting =
    <A extends readonly unknown[], R>(read: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const answer = await read(...args)
      counted.rows += Array.isArray(answer) ? Math.max(1, answer.length) : 1
      return answer
    }
  return {
    counted,
    store: {
      ...store,
      charter: counting(store.charter),
      charters: counting(store.charters),
      activity: counting(store.activity),
      activityOfRequest: counting(store.activityOfRequest),
      awaitedActivity: counting(store.awaitedActivity),
      activities: counting(store.activities),
      objects: counting(store.objects),
      objectsOfKind: counting(store.objectsOfKind),
      claimed: counting(store.claimed),
      newestOfKind: counting(store.newestOfKind),
      find: counting(store.find),
      findPrefix: counting(store.findPrefix),
      jobsOf: counting(store.jobsOf),
      dueAt: counting(store.dueAt),
    },
  }
}
