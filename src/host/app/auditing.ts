import { newId } from '../../trusted/base/ids.ts'
import type { World } from '../../trusted/base/world.ts'
import { readEvent } from '../delivery/audit/audit-event.ts'
import { AUDIT_NOTE, auditedStore, keepAuditEntry, tell } from '../delivery/audit/audit-outbox.ts'
import { type Repeated, repeated } from '../outside/repeated.ts'
import type { Timers } from '../outside/timers.ts'
import type { Host } from '../pipeline/host.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'
import type { Log } from './log.ts'

/**
 * The parts with which a host is opened: with an audit stream, each commit adds a job for it, and so does each read of
 * some organizations.
 */
export function audited(
  store: Store,
  { target, readsOf }: Config['audit'],
  world: World,
): { readonly store: Store; readonly onRead?: NonNullable<Host['onRead']> } {
  if (target === undefined) return { store }
  return {
    store: auditedStore(store),
    onRead: async (read) => {
      if (!readsOf(read.organizationId)) return
      await tell(store, readEvent({ ...read, id: newId(world), at: world.now() }), world)
    },
  }
}

/** Checks now, and each minute, that the store still writes jobs of the stream. */
export async function startAuditing(
  store: Store,
  {
    target,
    world,
    timers,
    log,
    onTrouble,
  }: Pick<Config['audit'], 'target'> & {
    readonly world: World
    readonly timers: Timers
    readonly log: Log
    readonly onTrouble: (error: unknown) => void
  },
): Promise<Pick<Repeated, 'stop'> | undefined> {
  if (target === undefined) {
    if ((await store.note(AUDIT_NOTE)) !== undefined)
      log('warn', 'no audit stream', {
        detail: 'this data has one, but CLAVIGER_AUDIT is off on this host: its activities are not reported',
      })
    return undefined
  }
  const look = async (): Promise<void> => {
    if ((await keepAuditEntry(store, world)) === 'gap')
      log('error', 'gap in the audit stream', {
        detail: 'its entry in the directory was removed from outside',
      })
  }
  await look()
  return repeated({ timers, onTrouble }, { everyMs: LOOK_EVERY_MS }, look)
}

const LOOK_EVERY_MS = 60_000
