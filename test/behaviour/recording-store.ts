import type { Unit } from '../../src/trusted/catalogue/unit.ts'
import type { Store } from '../../src/host/store/store.ts'

/** A store that also tells of every unit that it has committed. */
export function recordingStore(store: Store, onCommitted: (unit: Unit) => void): Store {
  const commit: Store['commit'] = async (unit) => {
    const outcome = await store.commit(unit)
    if (outcome.kind === 'committed') onCommitted(unit)
    return outcome
  }
  return { ...store, commit }
}

/** Whether a unit does more than keep a record. */
export function hasEffect({ charters, objects, jobs, claims, directory, revived }: Unit): boolean {
  const parts = [objects, claims, directory]
  return (
    revived !== undefined ||
    charters.length + jobs.length > 0 ||
    parts.some(({ put, remove }) => put.length + remove.length > 0)
  )
}
