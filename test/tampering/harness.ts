import { quietHost } from '../support/quiet.ts'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { activities } from '../../src/trusted/activities/list.ts'
import { proveRootKey } from '../../src/host/rotation/root-proof.ts'
import { asBuffer } from '../../src/trusted/base/bytes.ts'
import { errorBody, Failure, httpStatusByCode } from '../../src/trusted/base/failure.ts'
import { Pace } from '../../src/trusted/base/work.ts'
import { Secret } from '../../src/trusted/base/secret.ts'
import { assemble } from '../../src/host/emulator/assembly.ts'
import type { Route } from '../../src/host/http/route.ts'
import { queries } from '../../src/host/queries/list.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { Store } from '../../src/host/store/store.ts'
import { type Keyring, openKeyring } from '../../src/trusted/vault/keys/keyring.ts'
import type { Vault } from '../../src/protocol/vault.ts'
import { type TestWorld, testWorld } from '../support/service.ts'
import { type StampKey, stampWith } from '../support/stamper.ts'

/** A request whose bytes and stamp are fixed. */
export type Sent = { readonly route: string; readonly body: string; readonly xStamp: string }

/** `bug` is what the service answers 500 for, and logs. */
export type Outcome = { readonly status: number; readonly text: string; readonly bug?: unknown }

export type Service = {
  readonly world: TestWorld
  readonly vault: Vault
  /** Of its vault: what the vault's process reads from the root key file is given to it here. */
  readonly keyring: Keyring
  readonly send: (sent: Sent) => Promise<Outcome>
  /** Has this same host and this same vault go on with other data. */
  readonly useStore: (store: Store) => void
}

export function sentBy(key: StampKey, route: string, body: object): Sent {
  const text = JSON.stringify(body)
  return { route, body: text, xStamp: stampWith(key, text).stampHeaderValue }
}

/** Host and vault without a socket, at an instant and with randomness that are always the same. */
export async function openServiceOn(
  first: Store,
  world: TestWorld,
  around: (vault: Vault) => Vault = (vault) => vault,
  /** The next turn of the event loop, as the vault waits for it. */
  turn: () => Promise<void> = async () => {},
): Promise<Service> {
  const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(9)) }])
  let current = first
  const { vault, routes } = assemble({
    ...quietHost,
    world,
    store: switchable(() => current),
    keyring,
    activities,
    queries,
    targets: { allowPrivate: false },
    pace: new Pace(turn),
    around,
  })
  await proveRootKey(first, vault, world)
  return {
    world,
    vault,
    keyring,
    send: async (sent) => await outcomeOf(routes.get(`POST /public/v1/${sent.route}`), sent),
    useStore: (next) => {
      current = next
    },
  }
}

async function outcomeOf(route: Route | undefined, { body, xStamp }: Sent): Promise<Outcome> {
  if (route === undefined) throw new Error('no such operation')
  try {
    const call = { clientAddress: '127.0.0.1', headers: {} }
    const answer = await route({ ...call, body: asBuffer(Buffer.from(body)), stamp: { xStamp } })
    if (answer.kind === 'ok') return { status: 200, text: answer.body }
    return { status: httpStatusByCode[answer.error.code], text: JSON.stringify(answer.error) }
  } catch (error) {
    if (!(error instanceof Failure)) return { status: 500, text: '', bug: error }
    return { status: httpStatusByCode[error.code], text: JSON.stringify(errorBody(error)) }
  }
}

function switchable(current: () => Store): Store {
  return {
    commit: (unit) => current().commit(unit),
    charter: (id) => current().charter(id),
    charters: (ids) => current().charters(ids),
    activity: (organizationId, id) => current().activity(organizationId, id),
    activityOfRequest: (request) => current().activityOfRequest(request),
    awaitedActivity: (organizationId, fingerprint) => current().awaitedActivity(organizationId, fingerprint),
    activities: (organizationId, filter, page) => current().activities(organizationId, filter, page),
    newestRevisions: (organizationId, limit) => current().newestRevisions(organizationId, limit),
    revisionsOf: (organizationId, ids) => current().revisionsOf(organizationId, ids),
    objects: (organizationId, kind, ids) => current().objects(organizationId, kind, ids),
    objectsOfKind: (organizationId, kind, page) => current().objectsOfKind(organizationId, kind, page),
    claimed: (names) => current().claimed(names),
    newestOfKind: (organizationId, kind, page) => current().newestOfKind(organizationId, kind, page),
    find: (key, page) => current().find(key, page),
    findPrefix: (key, page) => current().findPrefix(key, page),
    jobsOf: (orderingKey, of, page) => current().jobsOf(orderingKey, of, page),
    dueAt: (orderingKey) => current().dueAt(orderingKey),
    takeJobs: (request) => current().takeJobs(request),
    finishJob: (sequence, next) => current().finishJob(sequence, next),
    finishBehind: (orderingKey, sequences) => current().finishBehind(orderingKey, sequences),
    putBackJob: (job, dueAt) => current().putBackJob(job, dueAt),
    postponeJob: (job, retry) => current().postponeJob(job, retry),
    deadLetterJob: (sequence, burial) => current().deadLetterJob(sequence, burial),
    deadLetters: (page) => current().deadLetters(page),
    reviveJobs: (sequences, now) => current().reviveJobs(sequences, now),
    addWebhooks: (webhooks, now) => current().addWebhooks(webhooks, now),
    jobCounts: () => current().jobCounts(),
    sweep: (request) => current().sweep(request),
    scan: (table, page) => current().scan(table, page),
    note: (name) => current().note(name),
    noteOnce: (name, value) => current().noteOnce(name, value),
    replaceNote: (name, before, after) => current().replaceNote(name, before, after),
    eraseRest: (organizationId, limit) => current().eraseRest(organizationId, limit),
    eraseSnapshots: (userId, named, page) => current().eraseSnapshots(userId, named, page),
    removeActivities: (activities) => current().removeActivities(activities),
    reseal: (seals) => current().reseal(seals),
    isEmpty: () => current().isEmpty(),
    confirmer: () => current().confirmer(),
    server: () => current().server(),
    probe: () => current().probe(),
    quotas: {
      settings: () => current().quotas.settings(),
      replace: (next) => current().quotas.replace(next),
      uses: (organizationId, now) => current().quotas.uses(organizationId, now),
      recount: (organizationId, now) => current().quotas.recount(organizationId, now),
    },
    load: () => current().load(),
    engine: 'sqlite',
    close: () => current().close(),
  }
}

/** A folder of data files that are written to once, copied, and changed by hand. */
type Cache = {
  readonly path: (name: string) => string
  /** A copy of a data file after this was done to it. */
  readonly changed: (from: string, change: (db: DatabaseSync) => void) => string
  readonly drop: (path: string) => void
  readonly clear: () => void
}

export function aCache(): Cache {
  // Nothing here need survive a power cut: where there is a file system in memory, no commit waits for a disk.
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'claviger-tampering-'))
  let copies = 0
  return {
    path: (name) => join(folder, name),
    changed: (from, change) => {
      const path = join(folder, `copy-${copies++}.db`)
      copyFileSync(from, path)
      const db = new DatabaseSync(path)
      try {
        db.exec('PRAGMA synchronous = OFF')
        change(db)
      } finally {
        db.close()
      }
      return path
    },
    drop: (path) => {
      for (const suffix of ['', '-wal', '-shm', '-lock']) rmSync(`${path}${suffix}`, { force: true })
    },
    clear: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Every instant of these tests is this one, or counted from it. */
export const START = Date.UTC(2026, 10, 21)

export async function onFile<T>(
  path: string,
  use: (service: Service, store: Store) => Promise<T>,
  at = START,
): Promise<T> {
  const store = openSqlite({ path })
  try {
    return await use(await openServiceOn(store, testWorld(1, at)), store)
  } finally {
    await store.close()
  }
}
