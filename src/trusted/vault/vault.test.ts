import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openSqlite } from '../../host/store/sqlite/sqlite.ts'
import { testWorld } from '../../../test/support/service.ts'
import { openServiceOn, sentBy, START } from '../../../test/tampering/harness.ts'
import { stampKeyFrom } from '../../../test/support/stamper.ts'
import { done, established, newKey, newUser, submission } from '../../../test/tampering/populated.ts'
import type { OfferedCharter } from '../../protocol/vault.ts'
import { activities } from '../activities/list.ts'
import { present } from '../base/assert.ts'
import { costs } from '../base/costs.ts'
import { Secret } from '../base/secret.ts'
import { turnsByHand } from '../base/testing/turns.ts'
import { Pace, SLICE, Work } from '../base/work.ts'
import { type StampVerifier, verifyStamp } from '../crypto/stamp-verify.ts'
import { openKeyring, type RootKeys } from './keys/keyring.ts'
import { RootKeyError } from './keys/root-key-error.ts'
import { restoredText } from './memory/restored-copy.ts'
import { Tampered } from './seals/seals.ts'
import { openVault } from './vault.ts'

async function started(t: TestContext) {
  const store = openSqlite({ path: ':memory:' })
  t.after(() => store.close())
  const service = await openServiceOn(store, testWorld(1, START))
  return { store, service, vault: service.vault, root: await established(service, store, 'First') }
}

test('a restore is believed by the proof of this root key alone, and then closes the time that was lost', async (t) => {
  const { service, vault, root } = await started(t)
  const challenge = restoredText({ copiedAt: START, lostAt: service.world.now() + 60_000 })
  const [proof, other] = await Promise.all([vault.proveRoot(challenge), vault.proveRoot('other')])
  assert.equal(await vault.restored({ challenge, proof: other }), false)
  assert.equal(await vault.restored({ challenge: 'other', proof: other }), false, 'a proof of something else')
  const tag = (userTagName: string) =>
    submission(service.world, root, 'CREATE_USER_TAG', { userTagName, userIds: [] })
  assert.equal((await service.send(tag('Before'))).status, 200)

  assert.equal(await vault.restored({ challenge, proof }), true)
  const refused = await service.send(tag('After'))
  assert.equal(refused.status, 400)
  assert.match(
    refused.text,
    /this service was restored from a backup, .* send it again with a later timestampMs"/,
  )
})

test('a root key file that cannot be adopted is named, and any other error is one', async () => {
  const first = { version: 1, secret: new Secret(new Uint8Array(32).fill(9)) }
  const second = { version: 2, secret: new Secret(new Uint8Array(32).fill(8)) }
  const read = (rereadRootKeys: () => Promise<RootKeys | undefined>) =>
    openVault({ world: testWorld(1, START), keyring: openKeyring([first]), activities, rereadRootKeys })
      // As over the socket, there is nothing to say with it.
      .rereadRootKey()
  const found = await read(async () => ({ versions: [first, second], seals: 1, service: [] }))
  assert.deepEqual([found.versions.length, found.trouble], [2, undefined])
  const same = await read(async () => undefined)
  assert.deepEqual([same.versions.length, same.trouble], [1, undefined])
  const unread = await read(async () => {
    throw new RootKeyError('it is not there')
  })
  assert.deepEqual([unread.versions.length, unread.trouble], [1, 'it is not there'])
  const broken = read(async () => {
    throw new RangeError('a bug')
  })
  await assert.rejects(broken, /a bug/)
})

test('a root key file that was not adopted is named until there is another one', async () => {
  const [first, other] = [9, 7].map((byte) => ({
    version: 1,
    secret: new Secret(new Uint8Array(32).fill(byte)),
  }))
  const keys = (root = present(first, 'a key')) => ({ versions: [root], seals: 1, service: [] })
  // The file is told of once, when it has changed.
  const files: (RootKeys | undefined)[] = [keys(other), undefined, undefined, keys(), undefined]
  const keyring = openKeyring(keys().versions)
  const rereadRootKeys = async () => files.shift()
  const vault = openVault({ world: testWorld(1, START), keyring, activities, rereadRootKeys })
  const isNamed: boolean[] = []
  while (files.length > 0) isNamed.push((await vault.rereadRootKey()).trouble !== undefined)
  assert.deepEqual(isNamed, [true, true, true, false, false])
})

test('to check rows costs as much as they are long', async (t) => {
  const { store, service, vault, root } = await started(t)
  const { organizationId } = root
  await newUser(service, root, 'Ada')
  const { privateKeyId } = await newKey(service, root, 'Treasury')
  const charter = present(await store.charter(organizationId), 'the charter')
  const [activity] = await store.activities(organizationId, {}, { limit: 1 })
  const [object] = await store.objects(organizationId, 'private_key', [privateKeyId])
  const [row, key] = [present(activity, 'a record'), present(object, 'the key')]
  const none = { charters: [], activities: [], objects: [] }
  for (const [rows, characters] of [
    [{ ...none, charters: [charter] }, charter.body.length * costs.charterCharacter],
    [{ ...none, activities: [row] }, (row.intent.length + row.votes.length) * costs.rowCharacter],
    [{ ...none, objects: [key] }, key.body.length * costs.rowCharacter],
  ] as const)
    assert.equal((await vault.check(rows)).cost, Math.ceil(costs.row + characters))
})

test('a call waits for its turn where other calls have used up the slice', async () => {
  let next = (): void => assert.fail('nobody waits for a turn')
  const pace = new Pace(
    () =>
      new Promise((resolve) => {
        next = resolve
      }),
  )
  const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(9)) }])
  const vault = openVault({ world: testWorld(1, START), keyring, activities, pace })
  new Work(pace, 'others').charge(SLICE)
  let isAnswered = false
  const answered = vault.check({ charters: [], activities: [], objects: [] }).then(() => {
    isAnswered = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isAnswered, false)
  next()
  await answered
})

test('to identify the sender of a query costs a request', async (t) => {
  const { store, vault, root } = await started(t)
  const { organizationId } = root
  const charters = [present(await store.charter(organizationId), 'the charter')]
  const { body, xStamp } = sentBy(root.key, 'query/whoami', { organizationId })
  const asked = async () => await vault.identify({ body, stamp: { xStamp }, organizationId, charters })
  await asked()
  const again = await asked()
  assert.equal(again.kind, 'signer')
  assert.ok(again.cost >= costs.request, String(again.cost))
})

test('a body that the host replaces by a text of no bytes is refused, although its stamp verifies', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  t.after(() => store.close())
  let sent = ''
  const service = await openServiceOn(store, testWorld(1, START), (vault) => ({
    ...vault,
    decide: async (request) => {
      sent = request.body.replace('\ufffd', '\ud83d')
      return await vault.decide({ ...request, body: sent })
    },
  }))
  const root = await established(service, store, 'First')
  const tag = { userTagName: 'a \ufffd', userIds: [] }
  const signed = submission(service.world, root, 'CREATE_USER_TAG', tag)
  const { status, bug } = await service.send(signed)

  assert.notEqual(sent, signed.body)
  assert.deepEqual(Buffer.from(sent), Buffer.from(signed.body))
  assert.equal(status, 500)
  assert.match(String(bug), /decide\.body must not have lone surrogates/)
})

test('a stamp is verified where the work is, if that goes before all that waits', async (t) => {
  const { store, service, root } = await started(t)
  const { organizationId } = root
  const { turn, next } = turnsByHand()
  const pace = new Pace(turn)
  let elsewhere = 0
  const verify: StampVerifier = async (...call) => {
    elsewhere++
    return await verifyStamp(...call)
  }
  const { world, keyring } = service
  const vault = openVault({ world, keyring, activities, pace, verifyStamp: verify })
  const charters = [present(await store.charter(organizationId), 'the charter')]
  const { body, xStamp } = sentBy(root.key, 'query/whoami', { organizationId })
  const asked = async () => await vault.identify({ body, stamp: { xStamp }, organizationId, charters })
  assert.equal((await asked()).kind, 'signer')
  assert.equal(elsewhere, 1)

  new Work(pace, 'others').charge(SLICE)
  const rest = [1, 2].map(async () => {
    const work = new Work(pace, 'others')
    await work.pause()
    work.charge(SLICE)
  })
  await next()

  assert.equal((await asked()).kind, 'signer')
  assert.equal(elsewhere, 1)
  await next()
  await Promise.all(rest)
})

test('the parent is not asked for where a key of the organization itself has stamped', async (t) => {
  const { store, service, vault, root } = await started(t)
  const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', service.world.randomBytes)
  const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const user = { userName: 'Ada', apiKeys, authenticators: [], oauthProviders: [] }
  const { subOrganizationId: organizationId } = await done(service, root, 'CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: 'Customer',
    rootQuorumThreshold: 1,
    rootUsers: [user],
  })
  const charters = [present(await store.charter(organizationId), 'the charter')]
  const asked = async (by: typeof key) => {
    const { body, xStamp } = sentBy(by, 'query/whoami', { organizationId })
    return (await vault.identify({ body, stamp: { xStamp }, organizationId, charters })).kind
  }
  assert.deepEqual([await asked(key), await asked(root.key)], ['signer', 'needs'])
})

test('a charter that is shown is as it was sealed, and no older than one that was shown before', async (t) => {
  const { store, service, root } = await started(t)
  const { organizationId } = root
  const charter = async () => present(await store.charter(organizationId), 'the charter')
  const older = await charter()
  await newUser(service, root, 'Ada')
  const newest = await charter()
  // Another vault with this root key, which has decided on nothing.
  const vault = openVault({ world: service.world, keyring: service.keyring, activities })
  const checked = async (row: OfferedCharter) =>
    (await vault.check({ charters: [row], activities: [], objects: [] })).kind
  await assert.rejects(checked({ ...newest, body: newest.body.replace('Ada', 'Eve') }), Tampered)
  assert.deepEqual([await checked(older), await checked(newest)], ['checked', 'checked'])
  const { body: _, ...known } = older
  assert.deepEqual([await checked(older), await checked(known)], ['outdated', 'outdated'])
})

test('a record and a row that are shown are as they were sealed', async (t) => {
  const { store, service, vault, root } = await started(t)
  const { privateKeyId } = await newKey(service, root, 'Treasury')
  const [activity] = await store.activities(root.organizationId, {}, { limit: 1 })
  const [object] = await store.objects(root.organizationId, 'private_key', [privateKeyId])
  const [record, key] = [present(activity, 'a record'), present(object, 'the key')]
  const none = { charters: [], activities: [], objects: [] }
  assert.equal((await vault.check({ ...none, activities: [record], objects: [key] })).kind, 'checked')
  const renamed = { ...key, body: key.body.replace('Treasury', 'Other') }
  await assert.rejects(vault.check({ ...none, objects: [renamed] }), Tampered)
  const resulting = { ...record, result: '{}' }
  await assert.rejects(vault.check({ ...none, activities: [resulting] }), Tampered)
})
