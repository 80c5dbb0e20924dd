import { present } from '../base/assert.ts'
import type { Reader } from '../catalogue/query.ts'
import type { ObjectRow } from '../catalogue/unit.ts'
import { lookupsOf } from '../charter/directory.ts'
import type { Signer } from '../vault/protocol.ts'
import { everything } from './gather.ts'
import { activityView } from '../vault/activity-view.ts'
import type { Host } from './host.ts'

const CHECKED_AT_ONCE_MAX = 500

export async function readerFor(host: Host, organizationId: string, signer: Signer): Promise<Reader> {
  const charter = present(await host.checked.get(organizationId), 'the charter that the signer was found in')
  const checkObjects = async (rows: readonly ObjectRow[]): Promise<void> => {
    for (let start = 0; start < rows.length; start += CHECKED_AT_ONCE_MAX) {
      const objects = rows.slice(start, start + CHECKED_AT_ONCE_MAX)
      await host.vault.check({ charters: [], activities: [], objects })
    }
  }
  return {
    charter,
    parent: async () => (charter.parentId === null ? undefined : await host.checked.get(charter.parentId)),
    now: host.world.now(),
    signer,
    activity: async (activityId) => {
      const row = await host.store.activity(organizationId, activityId)
      if (row !== undefined) await host.vault.check({ charters: [], activities: [row], objects: [] })
      return row
    },
    view: (row) => JSON.parse(activityView(row, signer.userId, host.world.now())),
    activities: async (filter, page) => {
      const rows = await host.store.activities(organizationId, filter, page)
      await host.vault.check({ charters: [], activities: rows, objects: [] })
      return rows
    },
    object: async (kind, objectId) => {
      const rows = await host.store.objects(organizationId, kind.kind, [objectId])
      await checkObjects(rows)
      const row = rows[0]
      return row === undefined ? undefined : kind.parse(row.body)
    },
    objects: async (kind) => {
      const rows = await everything(host.store, organizationId, kind.kind)
      await checkObjects(rows)
      return rows.map((row) => kind.parse(row.body))
    },
    subOrganizations: async (kind, value, page) => {
      const found = await host.store.find({ scope: organizationId, kind, value }, page)
      const charters = await Promise.all(found.map((id) => host.checked.get(id)))
      return charters
        .filter((sub) => sub !== undefined)
        .filter(
          (sub) =>
            sub.parentId === organizationId &&
            lookupsOf(sub).some((one) => one.kind === kind && one.value === value),
        )
        .map((sub) => sub.organizationId)
    },
  }
}
