import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { quietHost } from '../../../test/support/quiet.ts'
import { aService, type Member } from '../../../test/support/service.ts'
import { stampWith } from '../../../test/support/stamper.ts'
import { activities } from '../../trusted/activities/list.ts'
import { aComer, aSet, begin, SET } from '../../trusted/activities/organizations/testing/recovery.ts'
import { present } from '../../trusted/base/assert.ts'
import { Failure, UNAVAILABLE } from '../../trusted/base/failure.ts'
import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import { USAGE_METER } from '../../trusted/objects/usage-meter.ts'
import type { Costed, Decision } from '../../protocol/vault.ts'
import type { CommitResult, Conflict, Store } from '../store/store.ts'
import type { Timers } from '../outside/timers.ts'
import { Commits } from './commits.ts'
import { openHost } from './open-host.ts'
import type { Reply } from './reply.ts'
import { BOUNDS, type StateName, states } from './states.ts'
import { submit } from './submit.ts'

// A vault and a store of which a test says what they answer, so that a submission comes past every state there is.

const service = await aService()
after(() => service.close())
const row = await aRecord()
const organizationId = row.organizationId
const meters = [{ organizationId, objectId: 'one' }]
const refusal = { code: 7, message: 'no', details: [] } as const

/** One answer of the vault, and how the commit ends where it is a unit. */
type Given = { readonly decision: Decision; readonly commit?: CommitResult }

const conflict = (kind: Conflict): CommitResult => ({ kind: 'conflict', conflict: kind })
const unit = (guards: readonly string[]): Decision => ({
  kind: 'commit',
  userId: '',
  homeId: organizationId,
  ticket: 1,
  unit: {
    guards: [],
    charters: [],
    objectGuards: guards.map((kind) => ({ organizationId, kind, objectId: 'one', seal: null })),
    activity: { row, replaces: null, audience: [] },
    objects: { put: [], remove: [] },
    jobs: [],
    claims: { put: [], remove: [] },
    directory: { put: [], remove: [] },
  },
})

let count = 0

/** What leads to each state; `doubted` and `refused` by what has been before. */
const leading: { readonly [Name in StateName]: () => Given } = {
  needs: () => ({ decision: { kind: 'needs', charters: [organizationId] } }),
  meters: () => ({ decision: { kind: 'meters', ids: meters, asTheyStand: false } }),
  asks: () => ({
    decision: { kind: 'asks', questions: [{ about: 'issuerKeys', issuer: 'https://id.example' }] },
  }),
  outdated: () => ({ decision: { kind: 'outdated', what: `row ${count++}` } }),
  underWay: () => ({ decision: { kind: 'underWay', ticket: 77 } }),
  underWayElsewhere: () => ({ decision: { kind: 'underWay' } }),
  doubted: () => ({ decision: { kind: 'refused', error: refusal } }),
  refused: () => ({ decision: { kind: 'refused', error: refusal } }),
  settled: () => ({ decision: { kind: 'settled', row, userId: '' } }),
  committed: () => ({ decision: unit([]), commit: { kind: 'committed' } }),
  nameTaken: () => ({ decision: unit([]), commit: conflict('claim') }),
  metersOvertaken: () => ({ decision: unit([USAGE_METER]), commit: conflict('object') }),
  overtaken: () => ({ decision: unit([]), commit: conflict('guard') }),
  exhausted: () => ({
    decision: unit([]),
    commit: { kind: 'exhausted', exhausted: { organizationId, quota: 'objects', most: 1 } },
  }),
}

async function aRecord(): Promise<ActivityRow> {
  const user = await service.user('Ada')
  const page = await service.store.activities(user.organizationId, {}, { limit: 1 })
  return present(page[0], 'the record of the user')
}

type Told = {
  readonly reply?: Reply
  readonly error?: unknown
  readonly decisions: number
  readonly reads: number
  /** How long it has waited for the commits of other hosts. */
  readonly waitedMs: number
}

/** A signature, which is tried on what is at hand; the vault answers with these, the last of them for ever. */
async function submitted(answers: () => Given): Promise<Told> {
  let decisions = 0
  let reads = 0
  let waitedMs = 0
  let commit: CommitResult = { kind: 'committed' }
  const store: Store = {
    ...service.store,
    charter: async (id) => {
      reads += 1
      return await service.store.charter(id)
    },
    commit: async () => commit,
  }
  const vault = {
    ...service.vault,
    decide: async (): Promise<Costed<Decision>> => {
      decisions += 1
      assert.ok(decisions < 10_000, 'it goes on for ever')
      const given = answers()
      commit = given.commit ?? commit
      return { ...given.decision, cost: 0 }
    },
    settled: () => {},
  }
  const timers: Timers = {
    after: (ms, run) => {
      waitedMs += ms
      setImmediate(run)
      return () => {}
    },
  }
  const opened = openHost({ ...quietHost, world: service.world, activities, store, vault })
  const host = { ...opened, commits: new Commits({ store, vault, timers }) }
  try {
    const reply = await submit(host, requestBy(service.root))
    return { reply, decisions, reads, waitedMs }
  } catch (error) {
    return { error, decisions, reads, waitedMs }
  }
}

function requestBy(member: Member) {
  return request(member, 'SIGN_RAW_PAYLOAD_V2', {
    signWith: 'a key',
    payload: '00',
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_SHA256',
  })
}

function request({ key, organizationId: of }: Member, type: string, parameters: object) {
  const timestampMs = String(service.world.now())
  const sent = { type: `ACTIVITY_TYPE_${type}`, timestampMs, organizationId: of, parameters }
  const body = Buffer.from(JSON.stringify(sent))
  const stamp = { xStamp: stampWith(key, body).stampHeaderValue }
  return { operation: type.replace(/_V\d+$/, '').toLowerCase(), body, stamp }
}

/** Each of these once, and then the last of them for ever. */
function inOrder(names: readonly StateName[]): () => Given {
  let at = 0
  return () => leading[present(names[Math.min(at++, names.length - 1)], 'a state')]()
}

test('each state that ends a submission answers it, at the first or second decision', async () => {
  for (const [name, decisions, kind] of [
    ['settled', 1, 'ok'],
    ['committed', 1, 'ok'],
    ['refused', 2, 'error'],
    ['exhausted', 1, 'error'],
  ] as const) {
    const told = await submitted(inOrder([name]))
    assert.equal(told.reply?.kind, kind, name)
    assert.equal(told.decisions, decisions, name)
    assert.equal(states[name].spends, undefined)
  }
})

test('each state that goes on is bounded as the table says, and the request then fails with an error of the service', async () => {
  const bounded: Partial<Record<StateName, number>> = {
    needs: BOUNDS.attempts,
    meters: BOUNDS.conflicts,
    asks: BOUNDS.rounds,
    outdated: BOUNDS.attempts,
    underWay: BOUNDS.conflicts,
    underWayElsewhere: BOUNDS.waits,
    nameTaken: BOUNDS.conflicts,
    metersOvertaken: BOUNDS.conflicts,
    overtaken: BOUNDS.conflicts,
  }
  for (const [name, { spends }] of Object.entries(states)) {
    // The table has these names and no others.
    const state = name as StateName
    if (spends === undefined || state === 'doubted') continue
    const { error, decisions } = await submitted(inOrder([state]))
    assert.match(
      String(error),
      /no (attempt|answers) of \d+ (met an unchanged organization|rounds were enough)|another host is still writing/,
      name,
    )
    assert.equal(decisions, bounded[state], name)
  }
})

test('what another host has under way is waited for some seconds, less and less often, and then answered with 503', async () => {
  const { error, decisions, waitedMs } = await submitted(inOrder(['underWayElsewhere']))
  assert.ok(error instanceof Failure && error.code === UNAVAILABLE, String(error))
  assert.match(error.message, /the same bytes may be sent again/)
  assert.ok(waitedMs > 9_000 && waitedMs < 11_000, `${waitedMs}`)
  assert.ok(decisions < 150, `${decisions}`)
})

test('a refusal is believed at the second time, when everything has been read anew', async () => {
  const told = await submitted(inOrder(['doubted']))
  assert.deepEqual([told.decisions, told.reads], [2, 2])
  const after = await submitted(inOrder(['overtaken', 'refused']))
  assert.deepEqual([after.decisions, after.reads], [2, 2])
})

test('meters that moved on have nothing else read again', async () => {
  const told = await submitted(inOrder(['meters', 'metersOvertaken', 'meters', 'committed']))
  assert.deepEqual([told.reply?.kind, told.decisions, told.reads], ['ok', 4, 1])
})

test('what the vault calls outdated twice over was put back, which is a bug', async () => {
  const what = 'stored data is older than the vault has seen it: charter of organization x'
  const { error, decisions } = await submitted(() => ({ decision: { kind: 'outdated', what } }))
  assert.match(String(error), /older than the vault has seen it: charter/)
  assert.equal(decisions, 2)
})

test('whatever comes in whatever order, a submission ends', async () => {
  const names = Object.keys(states) as readonly StateName[] // as above
  const seen = new Set<StateName>()
  const decisionsMax = BOUNDS.rounds * (BOUNDS.attempts + BOUNDS.conflicts + BOUNDS.waits)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 12 }), async (order) => {
      for (const name of order) seen.add(name)
      let at = 0
      const told = await submitted(() => leading[present(order[at++ % order.length], 'a state')]())
      assert.ok((told.reply === undefined) !== (told.error === undefined))
      assert.ok(told.decisions <= decisionsMax, String(told.decisions))
    }),
    { numRuns: 60 },
  )
  assert.equal(seen.size, names.length)
})

// What one request makes while another is decided: the second decision of that one finds it.

async function decidedBeside(sent: ReturnType<typeof request>, meanwhile: () => Promise<unknown>) {
  return await submit(hostThatWaits(meanwhile), sent)
}

/** A host that waits after the first decision, before it goes on with the unit. */
function hostThatWaits(meanwhile: () => Promise<unknown>) {
  let decisions = 0
  const vault = {
    ...service.vault,
    decide: async (asked: Parameters<typeof service.vault.decide>[0]) => {
      const decision = await service.vault.decide(asked)
      if (++decisions === 1) await meanwhile()
      return decision
    },
  }
  return openHost({ ...quietHost, world: service.world, activities, store: service.store, vault })
}

const account = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_COMPRESSED',
}

test('a deletion of a wallet takes the account that was made meanwhile with it, and its name is free', async () => {
  const { root } = service
  const wallet = async (walletName: string) =>
    await service.done(root, 'ACTIVITY_TYPE_CREATE_WALLET', { walletName, accounts: [] })
  const named = async (walletId: string) =>
    await service.done(root, 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', {
      walletId,
      accounts: [{ ...account, name: 'Payouts' }],
    })
  const { walletId } = await wallet('Old')
  const deletion = request(root, 'DELETE_WALLETS', { walletIds: [walletId], deleteWithoutExport: true })
  assert.equal((await decidedBeside(deletion, () => named(walletId))).kind, 'ok')
  assert.deepEqual(await service.store.objectsOfKind(organizationId, 'wallet_account', { limit: 1 }), [])
  await named((await wallet('New')).walletId)
})

test('a sub-organization with a key that was made meanwhile, and not exported, is not deleted', async () => {
  const key = service.newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const rootUsers = [{ userName: 'Ada', apiKeys, authenticators: [], oauthProviders: [] }]
  const { subOrganizationId, rootUserIds } = await service.done(
    service.root,
    'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7',
    { subOrganizationName: 'Sub', rootQuorumThreshold: 1, rootUsers },
  )
  const sub: Member = { organizationId: subOrganizationId, userId: rootUserIds[0], key }
  const params = { privateKeyName: 'Treasury', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }
  const reply = await decidedBeside(request(sub, 'DELETE_SUB_ORGANIZATION', {}), () =>
    service.done(sub, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys: [params] }),
  )
  assert.match(reply.kind === 'error' ? reply.error.message : '', /private keys have not been exported/)
})

test('a key of an account that was made meanwhile is no API key', async () => {
  const { root } = service
  const { walletId } = await service.done(root, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Held',
    accounts: [],
  })
  const persisted = (persist: boolean) => ({ walletId, accounts: [account], persist })
  const make = 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS'
  const { addresses } = await service.done(root, make, persisted(false))
  const apiKeys = [{ apiKeyName: 'Held', publicKey: addresses[0], curveType: 'API_KEY_CURVE_SECP256K1' }]
  const reply = await decidedBeside(
    request(root, 'CREATE_API_KEYS_V2', { userId: root.userId, apiKeys }),
    () => service.done(root, make, persisted(true)),
  )
  assert.match(
    reply.kind === 'error' ? reply.error.message : '',
    /is the key of a private key or wallet account/,
  )
})

test('a stranger neither waits in the turns of an organization nor holds them up', async () => {
  const goOn = Promise.withResolvers<void>()
  const host = hostThatWaits(() => goOn.promise)
  const { root } = service
  const tag = (by: Member, userTagName: string) =>
    submit(host, request(by, 'CREATE_USER_TAG', { userTagName, userIds: [] }))
  const ended: string[] = []
  const noted = async (name: string, reply: Promise<Reply>): Promise<Reply> => {
    const answer = await reply
    ended.push(name)
    return answer
  }
  const first = noted('first', tag(root, 'First'))
  const second = noted('second', tag(root, 'Second'))
  const forged = noted('forged', tag({ ...root, key: service.newKey() }, 'Forged'))
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
  goOn.resolve()
  const [reply] = await Promise.all([forged, first, second])
  assert.deepEqual(ended, ['forged', 'first', 'second'])
  assert.match(reply.kind === 'error' ? reply.error.message : '', /could not find public key/)
})

test('the people of a recovery set take their turn while a user of the organization has one', async () => {
  const own = service.of(await service.newOrganization())
  const set = aSet(own)
  await own.done(own.root, SET, set.parameters)
  const goOn = Promise.withResolvers<void>()
  const host = hostThatWaits(() => goOn.promise)
  const tag = submit(host, request(own.root, 'CREATE_USER_TAG', { userTagName: 'Tag', userIds: [] }))
  const begun = submit(host, request(set.member, 'SET_ORGANIZATION_FEATURE', begin(aComer(own).user)))
  goOn.resolve()
  for (const reply of await Promise.all([tag, begun]))
    assert.equal(reply.kind, 'ok', reply.kind === 'error' ? reply.error.message : '')
})
