import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { aSubOrganization } from '../../../../test/behaviour/things.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../../test/support/postgres.ts'
import { aService, type JsonAnswer, type Member, type TestService } from '../../../../test/support/service.ts'
import { stampHeader, stampWith } from '../../../../test/support/stamper.ts'
import { present } from '../../../trusted/base/assert.ts'
import { emptyUnit, type Unit } from '../../../trusted/catalogue/unit.ts'
import { LAST_USED } from '../../store/last-used-entry.ts'
import { openPostgres } from '../../store/postgres/postgres.ts'
import { openSqlite } from '../../store/sqlite/sqlite.ts'
import type { Store } from '../../store/store.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const [DAY_1, DAY_2, DAY_4] = ['2026-11-21', '2026-11-22', '2026-11-24']
const TAG = 'ACTIVITY_TYPE_CREATE_USER_TAG'

const ENGINES = {
  sqlite: { open: async () => openSqlite({ path: ':memory:' }), skip: false },
  postgres: {
    open: async () => await openPostgres({ url: await freshDatabase() }),
    skip: postgresAvailable() ? false : postgresMissing,
  },
} as const

/** A service with what it writes, without what an activity writes. */
async function aNotingService(t: TestContext, engine: keyof typeof ENGINES = 'sqlite') {
  const plain = await ENGINES[engine].open()
  const written: Unit[] = []
  const trouble = { isOut: false, of: '' }
  const counted = { looks: 0 }
  const store: Store = {
    ...plain,
    commit: (unit) => {
      if (trouble.isOut) return Promise.reject(new Error('no room'))
      if (unit.directory.put.some(({ scope }) => scope === trouble.of))
        return Promise.reject(new Error('its charter was altered'))
      if (unit.activity === undefined && unit.charters.length === 0) written.push(unit)
      return plain.commit(unit)
    },
    findPrefix: (key, page) => {
      counted.looks += 1
      return plain.findPrefix(key, page)
    },
  }
  const service = await aService({ store })
  t.after(async () => {
    await service.close()
    await plain.close()
  })
  return { service, store, written, trouble, counted }
}

/** Of a user: the day of the user, and of each key and passkey in their order. */
async function daysOf(
  service: TestService,
  { userId, organizationId }: Member,
  by: Member = service.root,
): Promise<readonly (string | undefined)[]> {
  const { status, json, text } = await service.query(by, 'list_last_uses', { organizationId, userId })
  assert.equal(status, 200, text)
  const [user] = json.users
  return [user, ...user.apiKeys, ...user.authenticators].map((one: JsonAnswer) => one.lastUsedOn)
}

async function tagged(service: TestService, by: Member): Promise<void> {
  await service.done(by, TAG, { userTagName: `Tag ${service.world.now()}`, userIds: [] })
}

for (const engine of ['sqlite', 'postgres'] as const)
  test(`on ${engine} the day of the last use is told at once, and by another host once it is written`, {
    skip: ENGINES[engine].skip,
  }, async (t) => {
    const { service, store, written } = await aNotingService(t, engine)
    const ada = await service.user('Ada')
    assert.deepEqual(await daysOf(service, ada), [undefined, undefined])
    await service.query(ada, 'whoami')
    assert.deepEqual(await daysOf(service, ada), [DAY_1, DAY_1])
    await service.writeUses()
    service.world.advance(3 * DAY_MS)
    await tagged(service, service.root)
    await service.writeUses()

    const other = await aService({ store, seed: 2 })
    t.after(other.close)
    assert.deepEqual(await daysOf(other, ada, service.root), [DAY_1, DAY_1])
    assert.deepEqual(await daysOf(service, service.root), [DAY_4, DAY_4])
    const scope = { scope: service.organizationId, kind: LAST_USED, prefix: '' }
    assert.equal((await store.findPrefix(scope, { limit: 10 })).length, 4)
    assert.equal(written.length, 2)
  })

test('a host that writes late takes back no newer day of another host', async (t) => {
  const { service, store } = await aNotingService(t)
  const ada = await service.user('Ada')
  const other = await aService({ store, seed: 2 })
  t.after(other.close)
  await service.query(ada, 'whoami')
  other.world.advance(DAY_MS)
  await other.query(ada, 'whoami')
  await other.writeUses()
  assert.deepEqual(await daysOf(service, ada), [DAY_2, DAY_2])
  await service.writeUses()
  assert.deepEqual(await daysOf(other, ada, service.root), [DAY_2, DAY_2])

  // A clock that was far ahead is wrong.
  other.world.advance(2 * DAY_MS)
  await other.query(ada, 'whoami')
  await other.writeUses()
  service.world.advance(DAY_MS)
  await service.query(ada, 'whoami')
  await service.writeUses()
  assert.deepEqual(await daysOf(service, ada), [DAY_2, DAY_2])
})

test('of a day of signatures and reads the first alone leads to a write', async (t) => {
  const { service, written, counted } = await aNotingService(t)
  for (let time = 0; time < 30; time++) {
    await tagged(service, service.root)
    await service.query(service.root, 'list_users')
  }
  assert.deepEqual([written.length, counted.looks], [0, 0])
  await service.writeUses()
  await service.writeUses()
  for (let time = 0; time < 30; time++) await tagged(service, service.root)
  await service.writeUses()
  assert.deepEqual([written.length, counted.looks], [1, 1])
  assert.equal(present(written[0], 'the unit').directory.put.length, 2)
})

test('nobody makes a credential look used who cannot use it', async (t) => {
  const { service } = await aNotingService(t)
  const ada = await service.user('Ada')
  const mallory = service.newKey()
  const { organizationId } = service
  const parameters = { userTagName: 'Mallory was here', userIds: [] }
  const timestampMs = String(service.world.now())
  for (const [path, request] of [
    ['query/whoami', { organizationId }],
    ['submit/create_user_tag', { type: TAG, timestampMs, organizationId, parameters }],
  ] as const) {
    const body = JSON.stringify(request)
    const own = stampWith(mallory, Buffer.from(body)).stampHeaderValue
    const { signature } = JSON.parse(Buffer.from(own, 'base64url').toString())
    const { stampHeaderName, stampHeaderValue } = stampHeader({ ...ada.key, signature })
    const { status } = await service.post(`/public/v1/${path}`, body, { [stampHeaderName]: stampHeaderValue })
    assert.equal(status, 401)
  }
  assert.deepEqual(await daysOf(service, ada), [undefined, undefined])
})

test('the same bytes sent again on another day are no use: a thief of the bytes has no key', async (t) => {
  const { service } = await aNotingService(t)
  const ada = await service.user('Ada')
  const { organizationId } = service
  const policy = {
    policyName: 'Ada tags',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'CREATE_USER_TAG'",
    consensus: `approvers.any(user, user.id == '${ada.userId}')`,
    notes: '',
  }
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy)
  const parameters = { userTagName: 'Once', userIds: [] }
  const timestampMs = String(service.world.now())
  const body = JSON.stringify({ type: TAG, timestampMs, organizationId, parameters })
  const { stampHeaderName, stampHeaderValue } = stampWith(ada.key, Buffer.from(body))
  const send = () =>
    service.post('/public/v1/submit/create_user_tag', body, { [stampHeaderName]: stampHeaderValue })
  assert.equal((await send()).status, 200)
  service.world.advance(DAY_MS)
  assert.equal((await send()).status, 200)
  assert.deepEqual(await daysOf(service, ada), [DAY_1, DAY_1])
})

test('a use is noted where the credential is: no other tenant learns of it, and no sub-organization', async (t) => {
  const { service } = await aNotingService(t)
  const other = await service.newOrganization()
  const below = await aSubOrganization(service)
  // The same key is a user of another tenant too.
  const apiKeys = [
    { apiKeyName: 'Same', publicKey: service.root.key.publicKey, curveType: 'API_KEY_CURVE_P256' },
  ]
  const users = [{ userName: 'Same', apiKeys, authenticators: [], oauthProviders: [], userTags: [] }]
  const { userIds } = await service.of(other).done(other, 'ACTIVITY_TYPE_CREATE_USERS_V3', { users })
  const same = { ...service.root, organizationId: other.organizationId, userId: userIds[0] }
  // The parent's user reads in the sub-organization.
  const { organizationId } = below
  await service.query(service.root, 'list_users', { organizationId })
  await service.writeUses()
  assert.deepEqual(await daysOf(service, below), [undefined, undefined])
  assert.deepEqual(await daysOf(service, same, other), [undefined, undefined])
  assert.deepEqual(await daysOf(service, service.root), [DAY_1, DAY_1])
  for (const [by, asked] of [
    [other, service.organizationId],
    [below, service.organizationId],
    [below, other.organizationId],
  ] as const) {
    const { status } = await service.query(by, 'list_last_uses', { organizationId: asked })
    assert.notEqual(status, 200)
  }
  // What a user of the parent asks for there is refused, and its record is kept: the holder of the key has stamped it.
  const ada = await service.user('Ada')
  const code = { otpType: 'OTP_TYPE_EMAIL', contact: 'ada@example.com', appName: 'Example' }
  const { status } = await service.submit(ada, 'ACTIVITY_TYPE_INIT_OTP_AUTH_V3', code, { organizationId })
  assert.equal(status, 403)
  await service.writeUses()
  assert.deepEqual(await daysOf(service, ada), [DAY_1, DAY_1])
  assert.deepEqual(await daysOf(service, below), [undefined, undefined])
})

test('a session is a use of its user, and of no credential', async (t) => {
  const { service } = await aNotingService(t)
  const session = service.newKey()
  const { publicKey } = session
  await service.done(service.root, 'ACTIVITY_TYPE_STAMP_LOGIN', { publicKey, expirationSeconds: '864000' })
  await service.writeUses()
  service.world.advance(DAY_MS)
  await service.query({ ...service.root, key: session }, 'whoami')
  await service.writeUses()
  assert.deepEqual(await daysOf(service, service.root, { ...service.root, key: session }), [
    DAY_2,
    DAY_1,
    undefined,
  ])
})

test('what is of a deleted credential goes, and what somebody else has put there is not told', async (t) => {
  const { service, store } = await aNotingService(t)
  const ada = await service.user('Ada')
  await service.query(ada, 'whoami')
  await service.writeUses()
  const { organizationId, root } = service
  const entry = { scope: organizationId, kind: LAST_USED, value: root.userId }
  const forged = [
    { ...entry, target: '<img src=x>' },
    { ...entry, target: `9${'9'.repeat(2_000)}` },
  ]
  await store.commit({ ...emptyUnit, directory: { put: forged, remove: [] } })
  assert.deepEqual(await daysOf(service, root), [DAY_1, DAY_1])
  await service.done(root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [ada.userId] })
  service.world.advance(DAY_MS)
  await service.query(root, 'whoami')
  await service.writeUses()
  const left = await store.findPrefix({ scope: organizationId, kind: LAST_USED, prefix: '' }, { limit: 10 })
  assert.deepEqual([left.length, new Set(left.map(({ target }) => target))], [2, new Set([DAY_2])])
})

test('what cannot be written now is written next time', async (t) => {
  const { service, written, trouble } = await aNotingService(t)
  await service.query(service.root, 'whoami')
  trouble.isOut = true
  await assert.rejects(service.writeUses())
  trouble.isOut = false
  assert.deepEqual(await daysOf(service, service.root), [DAY_1, DAY_1])
  await service.writeUses()
  assert.equal(written.length, 1)
})

test('an organization that cannot be written keeps out no other', async (t) => {
  const { service, written, trouble } = await aNotingService(t)
  const below = await aSubOrganization(service)
  await service.writeUses()
  service.world.advance(DAY_MS)
  await service.query(service.root, 'whoami')
  await service.of(below).query(below, 'whoami')
  const before = written.length
  trouble.of = service.organizationId
  await assert.rejects(service.writeUses(), AggregateError)
  assert.deepEqual(
    written.slice(before).flatMap(({ directory }) => directory.put.map(({ scope }) => scope)),
    [below.organizationId, below.organizationId],
  )
})
