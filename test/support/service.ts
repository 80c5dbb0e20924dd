import { activities as allActivities } from '../../src/trusted/activities/list.ts'
import { present } from '../../src/trusted/base/assert.ts'
import type { TargetRules } from '../../src/trusted/base/public-address.ts'
import type { Pace } from '../../src/trusted/base/work.ts'
import { Secret } from '../../src/trusted/base/secret.ts'
import type { World } from '../../src/trusted/base/world.ts'
import type { Activity } from '../../src/trusted/catalogue/activity.ts'
import { assemble, listenOnLoopback } from '../../src/host/emulator/assembly.ts'
import { seededBytes } from '../../src/host/emulator/seeded-bytes.ts'
import { type AnsweredCall, httpServer } from '../../src/host/http/server.ts'
import type { Timers } from '../../src/host/outside/timers.ts'
import type { Host } from '../../src/host/pipeline/host.ts'
import { Commits } from '../../src/host/pipeline/commits.ts'
import type { Query } from '../../src/trusted/catalogue/query.ts'
import { queries as allQueries } from '../../src/host/queries/list.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { Store } from '../../src/host/store/store.ts'
import { Hosts } from '../../src/trusted/vault/hosts.ts'
import { type Keyring, openKeyring } from '../../src/trusted/vault/keys/keyring.ts'
import type { Vault } from '../../src/protocol/vault.ts'
import { assertDocumented } from '../contract/documented.ts'
import { assertPublishedValues } from '../contract/published-values.ts'
import { noProxies, quietHost } from './quiet.ts'
import { type StampKey, stampKeyFrom, stampWith } from './stamper.ts'

/** A clock that a test sets, and randomness that follows from a seed. */
export type TestWorld = World & {
  advance: (ms: number) => void
  /** Somebody sets the clock of the machine: no time has passed by that. */
  setClock: (ms: number) => void
}

export function testWorld(seed = 1, startAt = Date.UTC(2026, 10, 21)): TestWorld {
  let now = startAt
  let elapsed = 0
  return {
    now: () => now,
    elapsed: () => elapsed,
    advance: (ms) => {
      now += ms
      elapsed += ms
    },
    setClock: (ms) => {
      now = ms
    },
    randomBytes: seededBytes(String(seed)),
  }
}

/** Someone who can stamp requests for one organization. */
export type Member = { readonly organizationId: string; readonly userId: string; readonly key: StampKey }

export type Response = { readonly status: number; readonly json: JsonAnswer; readonly text: string }

/** Whatever the service answered; tests look into it by hand. */
// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever came over the wire
export type JsonAnswer = any

export type TestService = {
  readonly world: TestWorld
  readonly store: Store
  readonly vault: Vault
  /** Of its vault: what the vault's process reads from the root key file is given to it here. */
  readonly keyring: Keyring
  readonly baseUrl: string
  readonly root: Member
  readonly organizationId: string
  /** Posts a body as it is, with these headers. */
  readonly post: (
    path: string,
    body: string | Uint8Array,
    headers: Record<string, string>,
  ) => Promise<Response>
  /** Submits an activity, stamped by a member, in the organization of the member unless told. */
  readonly submit: (
    by: Member,
    type: string,
    parameters: object,
    options?: SubmitOptions,
  ) => Promise<Response>
  readonly query: (by: Member, operation: string, body?: object) => Promise<Response>
  /** The result of an activity that must complete: the value under its result key. */
  readonly done: (
    by: Member,
    type: string,
    parameters: object,
    options?: SubmitOptions,
  ) => Promise<JsonAnswer>
  /** A new user with a P-256 key, created by the root user of the first organization. */
  readonly user: (userName: string, options?: { readonly userTags?: readonly string[] }) => Promise<Member>
  readonly newKey: (scheme?: StampKey['scheme']) => StampKey
  /** Founds another top-level organization, and answers its root user. */
  readonly newOrganization: () => Promise<Member>
  /** The same service for the members of another top-level organization. */
  readonly of: (root: Member) => TestService
  /** Writes what was noted of uses of credentials, as a service does each minute. */
  readonly writeUses: () => Promise<void>
  readonly close: () => Promise<void>
}

export type SubmitOptions = {
  readonly organizationId?: string
  readonly timestampMs?: number
  readonly operation?: string
}

/**
 * The whole service in this process behind a real socket: embedded store in memory unless one is given, clock and
 * randomness of the test.
 */
export async function aService(
  options: {
    readonly store?: Store
    readonly seed?: number
    /** For tests that look at what activities do from inside. */
    readonly activities?: readonly Activity[]
    /** For tests that plant one. */
    readonly queries?: readonly Query[]
    /** What the vault's questions are answered with; nothing unless given. */
    readonly outside?: Host['outside']
    readonly isTrustedProxy?: (address: string) => boolean
    /** Where webhooks may go: over https to public addresses unless given. */
    readonly targets?: TargetRules
    /** In whose turns the vault does what is dear; all at once unless given. */
    readonly pace?: Pace
    /** By which streams look for changes; those of the machine unless given. */
    readonly timers?: Timers
    /** Told of each request, with what was noted of it. */
    readonly onAnswered?: (call: AnsweredCall) => void
  } = {},
): Promise<TestService> {
  const { activities = allActivities, queries = allQueries } = options
  const world = testWorld(options.seed)
  const store = options.store ?? openSqlite({ path: ':memory:' })
  const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])
  const { targets = { allowPrivate: false }, pace } = options
  const { outside = quietHost.outside, isTrustedProxy = noProxies.isTrustedProxy } = options
  const bugs: unknown[] = []
  const { vault, host, routes, streams } = assemble({
    ...quietHost,
    world,
    store,
    keyring,
    activities,
    queries,
    targets,
    outside,
    ...(pace === undefined ? {} : { pace }),
    ...(options.timers === undefined ? {} : { timers: options.timers }),
    onTrouble: (bug) => bugs.push(bug),
    // As the process of the vault does it.
    around: (opened) => new Hosts(opened).join().vault,
  })
  const server = httpServer({
    routes,
    world,
    isTrustedProxy,
    onBug: (bug) => bugs.push(bug),
    onAnswered: options.onAnswered ?? (() => {}),
    watches: options.onAnswered !== undefined,
  })
  const baseUrl = await listenOnLoopback(server)

  const newOrganization: TestService['newOrganization'] = async () => {
    const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', world.randomBytes)
    const founder = {
      organizationName: 'Test',
      userName: 'Root',
      apiKeyName: 'Root key',
      curveType: 'API_KEY_CURVE_P256',
    }
    const established = await vault.establish({ ...founder, publicKey: key.publicKey })
    await new Commits({ store, vault }).commit(established)
    const { organizationId, userId } = established
    return { organizationId, userId, key }
  }
  const post: TestService['post'] = async (path, body, headers) => {
    const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', body: Buffer.from(body), headers })
    const text = await answer.text()
    if (answer.status === 500 && bugs.length > 0)
      throw new Error(`the service met a bug at ${path}`, { cause: bugs.at(-1) })
    const json = JSON.parse(text)
    assertPublishedValues(json)
    assertDocumented(path, { status: answer.status, json })
    return { status: answer.status, text, json }
  }
  const stamped = (by: Member, path: string, body: object): Promise<Response> => {
    const text = JSON.stringify(body)
    const { stampHeaderName, stampHeaderValue } = stampWith(by.key, Buffer.from(text))
    return post(path, text, { [stampHeaderName]: stampHeaderValue })
  }
  const submit: TestService['submit'] = (by, type, parameters, given = {}) =>
    stamped(by, `/public/v1/submit/${given.operation ?? operationOf(type)}`, {
      type,
      timestampMs: String(given.timestampMs ?? world.now()),
      organizationId: given.organizationId ?? by.organizationId,
      parameters,
    })
  const done: TestService['done'] = async (by, type, parameters, given) => {
    // Two requests of the same instant and content would be the same request.
    world.advance(1)
    const { status, json, text } = await submit(by, type, parameters, given)
    if (status !== 200 || json.activity.status !== 'ACTIVITY_STATUS_COMPLETED')
      throw new Error(`${type}: ${status} ${text}`)
    return Object.entries(json.activity.result).find(([name]) => name !== 'activity')?.[1]
  }
  const of = (root: Member): TestService => ({
    world,
    store,
    vault,
    keyring,
    baseUrl,
    root,
    organizationId: root.organizationId,
    post,
    submit,
    done,
    newOrganization,
    of,
    query: (by, operation, body = {}) =>
      stamped(by, `/public/v1/query/${operation}`, { organizationId: by.organizationId, ...body }),
    newKey: (scheme = 'SIGNATURE_SCHEME_TK_API_P256') => stampKeyFrom(scheme, world.randomBytes),
    user: async (userName, { userTags = [] } = {}) => {
      const userKey = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', world.randomBytes)
      const apiKeys = [{ apiKeyName: 'Key', publicKey: userKey.publicKey, curveType: 'API_KEY_CURVE_P256' }]
      const users = [{ userName, apiKeys, authenticators: [], oauthProviders: [], userTags }]
      const { userIds } = await done(root, 'ACTIVITY_TYPE_CREATE_USERS_V3', { users })
      const userId = present(userIds[0], 'the new user')
      return { organizationId: root.organizationId, userId, key: userKey }
    },
    writeUses: () => host.uses.write(),
    close: async () => {
      streams.close()
      server.close()
      server.closeAllConnections()
      if (options.store === undefined) await store.close()
    },
  })
  return of(await newOrganization())
}

/** `ACTIVITY_TYPE_CREATE_USERS_V3` is submitted to `create_users`. */
function operationOf(type: string): string {
  return type
    .replace(/^ACTIVITY_TYPE_/, '')
    .replace(/_V\d+$/, '')
    .toLowerCase()
}
