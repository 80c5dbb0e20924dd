import type { Unit } from '../../src/catalogue/unit.ts'
import type { Store } from '../../src/store/store.ts'

/** A store that also remembers every unit it has committed: all that was ever written, in order. */
export function recordingStore(store: Store): { readonly store: Store; readonly commits: Unit[] } {
  const commits: Unit[] = []
  const commit: Store['commit'] = async (unit) => {
    const outcome = await store.commit(unit)
    if (outcome.kind === 'committed') commits.push(unit)
    return outcome
  }
  return { store: { ...store, commit }, commits }
}

/** Whether a unit does more than keep a record. */
export function hasEffect({ charters, objects, errands, claims, directory }: Unit): boolean {
  const parts = [objects, claims, directory]
  return (
    charters.length + errands.length > 0 || parts.some(({ put, remove }) => put.length + remove.length > 0)
  )
}
