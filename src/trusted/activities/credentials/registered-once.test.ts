import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openPostgres } from '../../../host/store/postgres/postgres.ts'
import { openSqlite } from '../../../host/store/sqlite/sqlite.ts'
import type { Store } from '../../../host/store/store.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../../test/support/postgres.ts'
import { aService, type Member, type TestService } from '../../../../test/support/service.ts'
import {
  cborBytes,
  cborInteger,
  cborMap,
  cborText,
  createAuthenticator,
  type SentAttestation,
} from '../../../../test/support/software-authenticator.ts'
import { aSubOrganization, CREATE_SUB_ORGANIZATION } from '../organizations/testing/sub-organization.ts'

const ADD = 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2'
const CREATE_USERS = 'ACTIVITY_TYPE_CREATE_USERS_V4'
const ORIGIN = 'https://app.example'
const CHALLENGE = 'AAAA'
const REFUSED =
  'invalid authenticator attestation: this passkey has been registered before; create a new passkey'

type Passkey = {
  readonly authenticatorName: string
  readonly challenge: string
  readonly attestation: SentAttestation
}

function aPasskey({ world }: TestService): Passkey {
  const device = createAuthenticator({ randomBytes: world.randomBytes })
  return {
    authenticatorName: 'Phone',
    challenge: CHALLENGE,
    attestation: device.register(CHALLENGE, ORIGIN),
  }
}

function aUser(userName: string, authenticators: readonly Passkey[]) {
  return { userName, apiKeys: [], authenticators, oauthProviders: [], userTags: [] }
}

function aCustomer(authenticators: readonly Passkey[]) {
  const { userTags: _, ...rootUser } = aUser('Ada', authenticators)
  return { subOrganizationName: 'Customer', rootQuorumThreshold: 1, rootUsers: [rootUser] }
}

async function refused(service: TestService, by: Member, type: string, parameters: object): Promise<void> {
  service.world.advance(1)
  const { status, json } = await service.submit(by, type, parameters)
  assert.deepEqual([status, json.code, json.message], [400, 3, REFUSED])
}

async function passkeysOf(service: TestService, by: Member): Promise<number> {
  const { json } = await service.query(by, 'get_authenticators', { userId: by.userId })
  return json.authenticators.length
}

const engines: readonly (readonly [string, () => Promise<Store>, string | false])[] = [
  ['embedded', async () => openSqlite({ path: ':memory:' }), false],
  [
    'PostgreSQL',
    async () => await openPostgres({ url: await freshDatabase() }),
    postgresAvailable() ? false : postgresMissing,
  ],
]

for (const [engine, open, skip] of engines) {
  const started = async (t: TestContext): Promise<TestService> => {
    const store = await open()
    const service = await aService({ store })
    t.after(async () => {
      await service.close()
      await store.close()
    })
    return service
  }

  test(`${engine}: a registration serves once: not for another user, another organization or a new one`, {
    skip,
  }, async (t) => {
    const service = await started(t)
    const { root } = service
    const ada = await service.user('Ada')
    const stranger = await service.newOrganization()
    const { roots } = await aSubOrganization(service)
    const [customer] = roots
    const passkey = aPasskey(service)
    await service.done(ada, ADD, { userId: ada.userId, authenticators: [passkey] })

    const again = { authenticators: [passkey] }
    await refused(service, stranger, ADD, { userId: stranger.userId, ...again })
    await refused(service, customer, ADD, { userId: customer.userId, ...again })
    await refused(service, stranger, CREATE_USERS, { users: [aUser('Eve', [passkey])] })
    await refused(service, root, CREATE_SUB_ORGANIZATION, aCustomer([passkey]))
    await refused(service, stranger, CREATE_SUB_ORGANIZATION, aCustomer([aPasskey(service), passkey]))
    for (const by of [root, stranger, customer]) assert.equal(await passkeysOf(service, by), 0)
  })

  test(`${engine}: of several requests with one registration at once, one is carried out`, {
    skip,
  }, async (t) => {
    const service = await started(t)
    const passkey = aPasskey(service)
    const others = await Promise.all(Array.from({ length: 4 }, async () => await service.newOrganization()))
    const adding = others.map(
      async (by) =>
        await service.submit(by, ADD, { userId: by.userId, authenticators: [aPasskey(service), passkey] }),
    )
    const founding = others.map(
      async (by) => await service.submit(by, CREATE_SUB_ORGANIZATION, aCustomer([passkey])),
    )
    const answers = await Promise.all([...adding, ...founding])
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const { status, json } of answers) if (status !== 200) assert.equal(json.message, REFUSED)
  })

  test(`${engine}: the same bytes sent again are answered as before`, { skip }, async (t) => {
    const service = await started(t)
    const { root } = service
    const timestampMs = service.world.now()
    const parameters = { userId: root.userId, authenticators: [aPasskey(service)] }
    const send = async () => await service.submit(root, ADD, parameters, { timestampMs })
    const [first, beside] = await Promise.all([send(), send()])
    assert.equal(first.json.activity.status, 'ACTIVITY_STATUS_COMPLETED', first.text)
    assert.equal(beside.text, first.text)
    assert.equal((await send()).text, first.text)
    assert.equal(await passkeysOf(service, root), 1)
  })
}

async function started(t: TestContext): Promise<TestService> {
  const service = await aService()
  t.after(service.close)
  return service
}

test('a passkey that was deleted, or whose user or organization was, is not registered again', async (t) => {
  const service = await started(t)
  const { root } = service
  const passkey = aPasskey(service)
  const { authenticatorIds } = await service.done(root, ADD, {
    userId: root.userId,
    authenticators: [passkey],
  })
  await service.done(root, 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS', { userId: root.userId, authenticatorIds })
  await refused(service, root, ADD, { userId: root.userId, authenticators: [passkey] })

  const ofUser = aPasskey(service)
  const { userIds } = await service.done(root, CREATE_USERS, { users: [aUser('Ben', [ofUser])] })
  await service.done(root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds })
  await refused(service, root, CREATE_USERS, { users: [aUser('Ben', [ofUser])] })

  const { roots } = await aSubOrganization(service)
  const [customer] = roots
  const ofCustomer = aPasskey(service)
  await service.done(customer, ADD, { userId: customer.userId, authenticators: [ofCustomer] })
  await service.done(customer, 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION', { deleteWithoutExport: true })
  await refused(service, root, ADD, { userId: root.userId, authenticators: [ofCustomer] })
})

test('what a replayer can vary makes no new registration: challenge, credential id, the writing of the statement', async (t) => {
  const service = await started(t)
  const { root } = service
  const device = createAuthenticator({ randomBytes: service.world.randomBytes })
  const namesake = createAuthenticator({ randomBytes: service.world.randomBytes })
  const params = (challenge: string, attestation: SentAttestation) => ({
    userId: root.userId,
    authenticators: [{ authenticatorName: 'Phone', challenge, attestation }],
  })
  await service.done(root, ADD, params(CHALLENGE, device.register(CHALLENGE, ORIGIN)))

  const renamed = Buffer.from(namesake.credentialId, 'base64url')
  const rewritten = {
    ...device.register('BBBB', 'https://elsewhere.example'),
    credentialId: namesake.credentialId,
    attestationObject: statement(renamed, reordered(device.publicKey)),
  }
  await refused(service, root, ADD, params('BBBB', rewritten))
  const other = await service.newOrganization()
  const fresh = params('CCCC', device.register('CCCC', ORIGIN))
  await refused(service, other, ADD, { ...fresh, userId: other.userId })
})

/** The key of a passkey with its parameters in another order, as nobody signs how it is written. */
function reordered(publicKey: string): Buffer {
  const key = Buffer.from(publicKey, 'base64url')
  // A map of five: kty and alg in four bytes, crv in two, and x and y in 35 each.
  const [x, y] = [key.subarray(10, 42), key.subarray(45, 77)]
  return cborMap([
    [cborInteger(-3), cborBytes(y)],
    [cborInteger(-2), cborBytes(x)],
    [cborInteger(-1), cborInteger(1)],
    [cborInteger(3), cborInteger(-7)],
    [cborInteger(1), cborInteger(2)],
  ])
}

function statement(credentialId: Uint8Array, coseKey: Uint8Array): string {
  const head = Buffer.concat([Buffer.alloc(32), Buffer.of(0x45), Buffer.alloc(4 + 16)])
  const authData = Buffer.concat([head, Buffer.of(0, credentialId.length), credentialId, coseKey])
  return cborMap([
    [cborText('authData'), cborBytes(authData)],
    [cborText('fmt'), cborText('none')],
    [cborText('attStmt'), cborMap([])],
  ]).toString('base64url')
}

test('one request does not register one passkey for two users', async (t) => {
  const service = await started(t)
  const { root } = service
  const passkey = aPasskey(service)
  const device = createAuthenticator({ randomBytes: service.world.randomBytes })
  const twice = ['AAAA', 'AAAB'].map((id) => ({
    authenticatorName: id,
    challenge: CHALLENGE,
    attestation: {
      ...device.register(CHALLENGE, ORIGIN),
      credentialId: id,
      attestationObject: statement(Buffer.from(id, 'base64url'), Buffer.from(device.publicKey, 'base64url')),
    },
  }))
  const users = twice.map((item) => aUser(item.authenticatorName, [item]))
  await refused(service, root, CREATE_USERS, { users })
  const both = [aUser('Ada', [passkey]), aUser('Ben', [passkey])]
  service.world.advance(1)
  assert.equal((await service.submit(root, CREATE_USERS, { users: both })).status, 400)
  await service.done(root, CREATE_USERS, { users: [aUser('Ada', [passkey])] })
})

test('what fails or is rejected uses no registration up, and what waits keeps it from nobody', async (t) => {
  const service = await started(t)
  const { root } = service
  const ada = await service.user('Ada')
  const other = await service.newOrganization()
  const passkey = aPasskey(service)
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two add users',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'USER'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  })
  const propose = async (userName: string) => {
    service.world.advance(1)
    const { json } = await service.submit(ada, CREATE_USERS, { users: [aUser(userName, [passkey])] })
    assert.equal(json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    return json.activity
  }
  const failing = { users: [aUser('Ada', [passkey])] }
  service.world.advance(1)
  assert.match((await service.submit(root, CREATE_USERS, failing)).json.message, /user label must be unique/)
  const { fingerprint: unwanted } = await propose('Ben')
  service.world.advance(1)
  await service.submit(root, 'ACTIVITY_TYPE_REJECT_ACTIVITY', { fingerprint: unwanted })
  const { fingerprint, id: activityId } = await propose('Cleo')
  await service.done(other, ADD, { userId: other.userId, authenticators: [passkey] })
  service.world.advance(1)
  await service.submit(root, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  const { json } = await service.query(root, 'get_activity', { activityId })
  assert.equal(json.activity.status, 'ACTIVITY_STATUS_FAILED')
  assert.equal(json.activity.failure.message, REFUSED)
})
