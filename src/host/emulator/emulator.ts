import type { Server, ServerResponse } from 'node:http'
import { activities } from '../../trusted/activities/list.ts'
import { assert } from '../../trusted/base/assert.ts'
import { Secret } from '../../trusted/base/secret.ts'
import { openKeyring } from '../../trusted/vault/keys/keyring.ts'
import type { Call, Route } from '../http/route.ts'
import { serviceRoutes } from '../http/service-routes.ts'
import { queries } from '../queries/list.ts'
import { type ClockSetting, type EmulatorClock, emulatorClock } from './clock.ts'
import { seededKey } from './emulated-user.ts'
import { faultedRoute, type Life } from './faulted-route.ts'
import { type Faults, openFaults } from './faults.ts'
import { type Instance, openInstance } from './instance.ts'
import { openRequestLog, type RequestLog } from './request-log.ts'
import { seededBytes } from './seeded-bytes.ts'
import { checkSnapshot, type KnownUser, type Results, type Snapshot, writeSnapshot } from './snapshot.ts'

/** The service of a seed, and its controls. Each restore begins a new life of the service, behind the same routes. */
export type Emulator = {
  readonly seed: string
  readonly clock: EmulatorClock
  readonly faults: Faults
  readonly log: RequestLog
  /** The present life. */
  readonly instance: () => Instance
  readonly users: () => readonly KnownUser[]
  readonly know: (user: KnownUser) => void
  readonly results: () => Results
  readonly keep: (results: Results) => void
  /** The time of the next request with this label: no two of them are the same request. */
  readonly timestampMs: (label: string) => number
  /** The routes of the interface, with faults and the log. */
  readonly routes: ReadonlyMap<string, Route>
  /** Makes every answer of this server name the emulator, and lets faults end its connections. */
  readonly mark: (server: Server) => void
  readonly snapshot: () => Snapshot
  /** @throws Failure `foreignSnapshot` */
  readonly restore: (snapshot: Snapshot) => void
  readonly end: () => Promise<void>
}

/** The header of every answer of an emulator; the service never sends it. */
const EMULATOR_HEADER = { name: 'x-claviger', value: 'EMULATOR' } as const

/**
 * An emulator with one organization, whose root user has a key that follows from the seed.
 *
 * @throws Failure `invalidClock`
 */
export async function openEmulator(options: {
  readonly seed: string
  readonly clock: ClockSetting
  readonly strictTime: boolean
  readonly onBug: (bug: unknown) => void
}): Promise<Emulator> {
  const { seed, strictTime, onBug } = options
  const clock = emulatorClock(options.clock)
  const secret = seededBytes(JSON.stringify([seed, 'root key of the vault']))(32)
  const keyring = openKeyring([{ version: 1, secret: new Secret(secret) }])
  const awaiting = new Set<string>()
  const emulation = { anyTimestamp: !strictTime, awaitsVote: (print: string) => awaiting.has(print) }
  const parts = { seed, keyring, clock, emulation, onBug }
  const begin = (from?: Snapshot): Life => ({
    instance: openInstance(parts, from),
    underWay: new Set(),
    over: Promise.withResolvers(),
  })
  let life = begin()
  let users: readonly KnownUser[] = [await foundedIn(life.instance, seed)]
  let results: Results = {}
  let sent = new Map<string, number>()
  const log = openRequestLog()
  const faults = openFaults(
    new Map([
      ...activities.map(({ operation, vote }) => [operation, { mayWait: vote === undefined }] as const),
      ...queries.map(({ operation }) => [operation, { mayWait: false }] as const),
    ]),
  )
  const responses = new WeakMap<Call['headers'], ServerResponse>()

  const routed = { life: () => life, now: clock.now, faults, log, awaiting, responses }
  const ownRoutes = await serviceRoutes(life.instance.host, {
    metricsText: async () => '# the EMULATOR measures nothing\n',
    readiness: async () => ({ kind: 'ok', body: '{"status":"ready"}' }),
  })
  return {
    seed,
    clock: {
      ...clock,
      advance: (duration) => {
        clock.advance(duration)
        // Jobs that waited for their time may be due.
        life.instance.delivery.wake()
      },
    },
    faults,
    log,
    instance: () => life.instance,
    users: () => users,
    know: (user) => {
      users = [...users, user]
    },
    results: () => results,
    keep: (made) => {
      results = { ...results, ...made }
    },
    timestampMs: (label) => {
      const count = (sent.get(label) ?? 0) + 1
      sent.set(label, count)
      return clock.now() + count
    },
    routes: new Map([
      ...[...life.instance.routes.keys()].map((name) => [name, faultedRoute(name, routed)] as const),
      ...ownRoutes,
    ]),
    mark: (server) => {
      server.prependListener('request', (request, response) => {
        response.setHeader(EMULATOR_HEADER.name, EMULATOR_HEADER.value)
        // A connection that a fault has ended accepts no further answer.
        response.on('error', () => {})
        responses.set(request.headersDistinct, response)
      })
    },
    snapshot: () => {
      const { db, world, inbox } = life.instance
      const ordinals = world.ordinals()
      const messages = inbox.messages()
      return writeSnapshot(db, {
        seed,
        now: clock.now(),
        ordinals,
        requests: [...sent],
        messages,
        users,
        results,
      })
    },
    restore: (snapshot) => {
      checkSnapshot(snapshot, seed)
      const before = life
      life = begin(snapshot)
      ;({ users, results } = snapshot)
      sent = new Map(snapshot.requests)
      log.clear()
      faults.clear()
      awaiting.clear()
      void ended(before).catch(onBug)
    },
    end: () => ended(life),
  }
}

async function foundedIn({ host }: Instance, seed: string): Promise<KnownUser> {
  const userName = 'Root'
  const keyName = 'root'
  const { organizationId, userId, ...established } = await host.vault.establish({
    organizationName: 'Emulator',
    userName,
    apiKeyName: 'Root key',
    publicKey: seededKey(seed, keyName).apiPublicKey,
    curveType: 'API_KEY_CURVE_P256',
  })
  const outcome = await host.commits.commit(established)
  assert(outcome.kind === 'committed', 'nobody else has this new id')
  return { userName, userId, organizationId, keyName }
}

async function ended({ instance, underWay, over }: Life): Promise<void> {
  over.resolve()
  await Promise.allSettled(underWay)
  await instance.end()
}
