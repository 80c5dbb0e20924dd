import { newId } from '../../../trusted/base/ids.ts'
import type { World } from '../../../trusted/base/world.ts'
import { emptyUnit } from '../../../trusted/catalogue/unit.ts'
import { AUDIT } from '../../store/audit-target.ts'
import { WEBHOOK_ENTRY } from '../../store/ordering-keys.ts'
import type { Store } from '../../store/store.ts'
import { type AuditEvent, plainEvent } from './audit-event.ts'

/** The store, in which each unit with an activity adds a job for the audit stream in the same commit. */
export function auditedStore(store: Store): Store {
  return {
    ...store,
    commit: (unit) => {
      const { activity } = unit
      return store.commit(
        activity === undefined
          ? unit
          : { ...unit, activity: { ...activity, audience: [...activity.audience, AUDIT.scope] } },
      )
    },
  }
}

/** Puts an event into the outbox, and resolves when it is durable there. */
export async function tell(
  store: Pick<Store, 'addWebhooks'>,
  event: AuditEvent,
  world: Pick<World, 'now'>,
): Promise<void> {
  const organizationId = event.event === 'read' ? event.organizationId : AUDIT.scope
  await store.addWebhooks(
    [{ ...AUDIT, organizationId, activityId: JSON.stringify(event), revision: 0 }],
    world.now(),
  )
}

/**
 * Makes sure that the store has the entry that causes the stream's jobs. If the entry was there before and is missing,
 * it was removed from outside: this is reported as a gap.
 *
 * @returns  `gap` if it was missing
 */
export async function keepAuditEntry(
  store: Pick<Store, 'find' | 'commit' | 'note' | 'noteOnce' | 'addWebhooks'>,
  world: World,
): Promise<'kept' | 'begun' | 'gap'> {
  const { scope, target } = AUDIT
  const key = { scope, ...WEBHOOK_ENTRY }
  const isThere = async (): Promise<boolean> => (await store.find(key, { limit: 1 })).includes(target)
  const wasThere = await isThere()
  const wasPut = (await store.note(AUDIT_NOTE)) !== undefined
  // The note follows the entry: another host may have begun the stream in between.
  if (wasPut && (wasThere || (await isThere()))) return 'kept'
  if (wasPut) await tell(store, plainEvent('gap', newId(world), world.now()), world)
  if (!wasThere) await store.commit({ ...emptyUnit, directory: { put: [{ ...key, target }], remove: [] } })
  // The host that put the entry may have been killed before its note.
  await store.noteOnce(AUDIT_NOTE, new Date(world.now()).toISOString())
  return wasThere ? 'kept' : wasPut ? 'gap' : 'begun'
}

/** The time since which this data has an audit stream. */
export const AUDIT_NOTE = 'audit stream'
