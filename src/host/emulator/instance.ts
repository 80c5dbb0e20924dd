import type { DatabaseSync } from 'node:sqlite'
import { activities } from '../../trusted/activities/list.ts'
import type { Keyring } from '../../trusted/vault/keys/keyring.ts'
import type { Emulation } from '../../trusted/vault/vault-context.ts'
import { type Delivery, startDelivery } from '../delivery/runner.ts'
import { prepareWebhook } from '../delivery/webhook-delivery.ts'
import { inboxRoutes } from '../http/inbox-routes.ts'
import type { Route } from '../http/route.ts'
import { openIssuerKeys } from '../outside/issuer-keys.ts'
import { outsideOf } from '../outside/outside.ts'
import { openOutbound } from '../outside/outbound.ts'
import { realTimers, type Timers } from '../outside/timers.ts'
import type { Host } from '../pipeline/host.ts'
import { queries } from '../queries/list.ts'
import { IN_MEMORY, openSqliteFile } from '../store/sqlite/file.ts'
import { wholeRecords } from '../store/sqlite/records.ts'
import { sqliteOn } from '../store/sqlite/sqlite.ts'
import type { Store } from '../store/store.ts'
import { assemble } from './assembly.ts'
import type { EmulatorClock } from './clock.ts'
import { type EmulatedInbox, emulatedInbox } from './emulated-inbox.ts'
import { type SeededWorld, seededWorld } from './seeded-world.ts'
import { type SentWebhooks, sentWebhooks } from './sent-webhooks.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'

/**
 * One life of the service: a store in memory, a vault, a host and its deliveries. The next life is another instance.
 */
export type Instance = {
  readonly world: SeededWorld
  readonly db: DatabaseSync
  readonly host: Host
  readonly routes: ReadonlyMap<string, Route>
  readonly inbox: EmulatedInbox
  readonly webhooks: SentWebhooks
  readonly delivery: Delivery
  /** Accepts no more requests, and frees everything after the work under way has ended. */
  readonly end: () => Promise<void>
}

type InstanceParts = {
  readonly seed: string
  readonly keyring: Keyring
  readonly clock: EmulatorClock
  readonly emulation: Emulation
  readonly onBug: (bug: unknown) => void
}

export function openInstance(parts: InstanceParts, from?: Snapshot): Instance {
  const { seed, keyring, clock, emulation, onBug } = parts
  const { now } = clock
  const db = from === undefined ? openSqliteFile(IN_MEMORY, { lockWaitMs: 0 }) : openSnapshot(from.tables)
  const world = seededWorld({ seed, now, ...(from === undefined ? {} : { ordinals: from.ordinals }) })
  if (from !== undefined) clock.set(from.now)
  const messages = countedMessages(sqliteOn(db, { records: wholeRecords(db) }))
  const { store } = messages
  const real = openOutbound({ allowPrivate: true })
  const webhooks = sentWebhooks(real, realTimers)
  const issuerKeys = openIssuerKeys({ outbound: real, elapsed: now })
  let delivery: Delivery | undefined
  const { vault, host, routes, streams } = assemble({
    world,
    store,
    keyring,
    activities,
    queries,
    targets: { allowPrivate: true },
    outside: outsideOf({ issuerKeys, outbound: real, timers: realTimers }),
    onCommitted: () => delivery?.wake(),
    emulation,
    onTrouble: onBug,
  })
  const inbox = emulatedInbox(vault, now, from?.messages)
  const { outbound } = webhooks
  delivery = startDelivery({
    store,
    world,
    timers: promptTimers,
    prepare: async (job) =>
      job.kind === 'webhook'
        ? await prepareWebhook({ store, vault, charters: host.checked, outbound, now }, job.webhook)
        : inbox.prepare(job.row),
    onEnded: ({ kind }) => {
      if (kind !== 'webhook') messages.ended()
    },
    onBug,
  })
  const afterMessages = [...routes].map(([name, route]): [string, Route] => [
    name,
    async (call) => {
      const answer = await route(call)
      // The inbox has the messages of this request before the next call.
      await messages.delivered()
      return answer
    },
  ])
  return {
    world,
    db,
    host,
    routes: new Map([...afterMessages, ...inboxRoutes(inbox)]),
    inbox,
    webhooks,
    delivery,
    end: async () => {
      streams.close()
      await delivery.stop()
      real.close()
      await store.close()
    },
  }
}

/** A job that is due within a moment is due now: here a burst does not have to be spread. */
const promptTimers: Timers = {
  after: (ms, run) => realTimers.after(ms <= 10 ? 0 : ms, run),
}

/** The store, and the time when the messages of its units have been delivered. */
function countedMessages(store: Store): {
  readonly store: Store
  readonly ended: () => void
  readonly delivered: () => Promise<void>
} {
  let underWay = 0
  let all = Promise.withResolvers<void>()
  return {
    store: {
      ...store,
      commit: async (unit) => {
        const result = await store.commit(unit)
        if (result.kind === 'committed' && unit.jobs.length > 0) {
          if (underWay === 0) all = Promise.withResolvers()
          underWay += unit.jobs.length
        }
        return result
      },
    },
    ended: () => {
      // No caller waits for jobs from a snapshot.
      if (underWay > 0 && --underWay === 0) all.resolve()
    },
    delivered: async () => {
      if (underWay > 0) await all.promise
    },
  }
}
