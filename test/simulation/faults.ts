import type { Store } from '../../src/host/store/store.ts'
import type { Vault } from '../../src/protocol/vault.ts'

/**
 * It is told of nothing for certain, as when each connection breaks in its commit: what it would refuse is left to the
 * store.
 */
export function untold(vault: Vault): Vault {
  return {
    ...vault,
    settled: ({ committed, dropped, unknown }) =>
      vault.settled({ committed: [], dropped: [], unknown: [...committed, ...dropped, ...unknown] }),
  }
}

/** Faults that a store could have, to see that the simulation notices them. */
export const faults: Readonly<Record<string, (store: Store) => Store>> = {
  'writes a record although its charter has moved on': (store) => ({
    ...store,
    commit: async (unit) => await store.commit(unit.charters.length > 0 ? unit : { ...unit, guards: [] }),
  }),
  'writes a vote over another one': (store) => ({
    ...store,
    commit: async (unit) => {
      const { activity } = unit
      if (activity === undefined || activity.replaces === null) return await store.commit(unit)
      const { organizationId, activityId } = activity.row
      const now = await store.activity(organizationId, activityId)
      if (now === undefined || now.revision === activity.replaces || unit.charters.length > 0)
        return await store.commit(unit)
      // As if the revision were not looked at: over what is there now.
      const row = { ...activity.row, revision: now.revision + 1 }
      return await store.commit({
        ...unit,
        activity: { row, replaces: now.revision, audience: activity.audience },
      })
    },
  }),
  'loses a record that it has acknowledged': (store) => {
    let records = 0
    return {
      ...store,
      commit: async (unit) => {
        if (unit.charters.length === 0) records += 1
        return unit.charters.length === 0 && records % 10 === 0
          ? { kind: 'committed' }
          : await store.commit(unit)
      },
    }
  },
  'writes over what others have used': (store) => ({
    ...store,
    commit: async (unit) => await store.commit({ ...unit, objectGuards: [] }),
  }),
  'forgets which requests it has seen': (store) => ({ ...store, activityOfRequest: async () => undefined }),
  'lets two objects have one name': (store) => ({
    ...store,
    claimed: async () => [],
    commit: async (unit) => await store.commit({ ...unit, claims: { put: [], remove: [] } }),
  }),
  'finds the objects of everyone': (store) => {
    const ids = new Map<string, string>()
    return {
      ...store,
      commit: async (unit) => {
        for (const { objectId, organizationId } of unit.objects.put) ids.set(objectId, organizationId)
        return await store.commit(unit)
      },
      objects: async (organizationId, kind, objectIds) => {
        const homes = objectIds.map((id) => ids.get(id) ?? organizationId)
        const rows = await Promise.all(
          objectIds.map((id, at) => store.objects(homes[at] ?? organizationId, kind, [id])),
        )
        return rows.flat()
      },
    }
  },
}
