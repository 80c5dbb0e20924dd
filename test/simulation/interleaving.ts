import type { Store } from '../../src/host/store/store.ts'
import type { Vault } from '../../src/protocol/vault.ts'
import type { Seeded } from '../support/seeded.ts'

/**
 * Decides who goes on, in place of network, disk and scheduler: every call of the store and of the vault waits before
 * and after, and of all that wait, the seed lets some go. Nothing else in the service waits for anything outside it.
 */
type Interleaving = {
  readonly store: (store: Store) => Store
  readonly vault: (vault: Vault) => Vault
  /** Drives these to their ends. Outside of it nothing waits. */
  readonly drive: <T>(jobs: readonly (() => Promise<T>)[]) => Promise<readonly T[]>
}

const STUCK_AFTER_TURNS = 1_000
const AT_ONCE_MAX = 4

export function interleaving(random: Seeded): Interleaving {
  const waiting: (() => void)[] = []
  let isDriving = false
  let underWay = 0

  const pause = async (): Promise<void> => {
    if (isDriving) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const paused =
    <I extends readonly unknown[], O>(call: (...input: I) => Promise<O>) =>
    async (...input: I): Promise<O> => {
      await pause()
      underWay += 1
      try {
        return await call(...input)
      } finally {
        underWay -= 1
        await pause()
      }
    }

  return {
    store: (store) => ({
      ...store,
      commit: paused(store.commit),
      charter: paused(store.charter),
      activity: paused(store.activity),
      activityOfRequest: paused(store.activityOfRequest),
      awaitedActivity: paused(store.awaitedActivity),
      activities: paused(store.activities),
      objects: paused(store.objects),
      objectsOfKind: paused(store.objectsOfKind),
      claimed: paused(store.claimed),
      find: paused(store.find),
    }),
    vault: (vault) => ({
      ...vault,
      decide: paused(vault.decide),
      identify: paused(vault.identify),
      check: paused(vault.check),
    }),
    drive: async (jobs) => {
      isDriving = true
      let left = jobs.length
      const all = Promise.all(
        jobs.map(async (job) => {
          try {
            return await job()
          } finally {
            left -= 1
          }
        }),
      )
      // A rejection is told where it is awaited below; until then it is nobody's.
      all.catch(() => {})
      for (let idle = 0; left > 0; idle++) {
        await turnOfTheLoop()
        if (underWay > 0) continue
        if (idle > STUCK_AFTER_TURNS) throw new Error('a request waits for something that never comes')
        const count = Math.min(waiting.length, 1 + random.below(AT_ONCE_MAX))
        for (let released = 0; released < count; released++) {
          const [next] = waiting.splice(random.below(waiting.length), 1)
          next?.()
          idle = 0
        }
      }
      isDriving = false
      return await all
    },
  }
}

/** After it, everything that could go on by itself has gone as far as it can. */
function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
