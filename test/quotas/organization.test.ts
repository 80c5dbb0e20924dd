import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { QuotaChange } from '../../src/host/quotas/quota-orders.ts'
import { EVERY_ORGANIZATION } from '../../src/host/store/quotas/settings.ts'
import {
  aComer,
  aSet,
  ATTEMPT,
  attemptOf,
  begin,
  complete,
  passHours,
  REMOVE,
  SET,
  underWay,
} from '../../src/trusted/activities/organizations/testing/recovery.ts'
import { aSubOrganization } from '../../src/trusted/activities/organizations/testing/sub-organization.ts'
import { encryptedClientSecret } from '../behaviour/identities.ts'
import { stampWith } from '../support/stamper.ts'
import { setQuota } from '../support/set-quota.ts'
import {
  aService,
  type JsonAnswer,
  type Member,
  type Response,
  type TestService,
} from '../support/service.ts'

const DAY = 24 * 60 * 60 * 1000
const CREATE_KEYS = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2'
const TAG = 'ACTIVITY_TYPE_CREATE_USER_TAG'

async function aQuotaService(t: TestContext) {
  const service = await aService()
  t.after(service.close)
  let n = 0
  const set = async (change: QuotaChange, subject = service.organizationId): Promise<void> => {
    await setQuota(service, subject, change)
  }
  const used = async (by: Member = service.root): Promise<{ readonly [quota: string]: string }> => {
    const { json, text } = await service.query(by, 'list_quotas')
    assert.ok(Array.isArray(json.quotas), text)
    return Object.fromEntries(
      json.quotas.map((one: { quota: string; used: string }) => [one.quota, one.used]),
    )
  }
  const keys = async (by: Member, count: number): Promise<Response> => {
    const privateKeys = Array.from({ length: count }, () => ({
      privateKeyName: `Key ${n++}`,
      curve: 'CURVE_SECP256K1',
      privateKeyTags: [],
      addressFormats: [],
    }))
    return await service.submit(by, CREATE_KEYS, { privateKeys })
  }
  const tag = async (by: Member = service.root): Promise<Response> =>
    await service.submit(by, TAG, { userTagName: `Tag ${n++}`, userIds: [] })
  return { service, set, used, keys, tag }
}

async function recorded({ store, organizationId }: TestService): Promise<number> {
  return (await store.activities(organizationId, {}, { limit: 100 })).length
}

function refused({ status, json }: Response, message: RegExp): void {
  assert.deepEqual([status, json.code], [429, 8], json.message ?? json.activity?.status)
  assert.match(json.message, message)
}

test('a request beyond the day is refused with a reason and a time, leaves nothing, and may be sent again', async (t) => {
  const { service, set, used, tag } = await aQuotaService(t)
  await set({ requests: 2 })
  assert.deepEqual([(await tag()).status, (await tag()).status], [200, 200])
  const before = await recorded(service)
  const body = JSON.stringify({
    type: TAG,
    timestampMs: String(service.world.now()),
    organizationId: service.organizationId,
    parameters: { userTagName: 'Later', userIds: [] },
  })
  const send = async () => {
    const stamp = stampWith(service.root.key, Buffer.from(body))
    const response = await fetch(`${service.baseUrl}/public/v1/submit/create_user_tag`, {
      method: 'POST',
      body,
      headers: { [stamp.stampHeaderName]: stamp.stampHeaderValue },
    })
    return { response, json: JSON.parse(await response.text()) }
  }

  const { response, json } = await send()

  assert.equal(response.status, 429)
  assert.equal(
    json.message,
    'this organization cannot execute activities because it is over its allotted quota of 2 requests a day, which the operator of this service can raise',
  )
  assert.equal(response.headers.get('retry-after'), String((DAY - (service.world.now() % DAY)) / 1_000))
  assert.equal(await recorded(service), before)
  await set({ requests: 3 })
  assert.equal((await send()).response.status, 200)
  // The same bytes are the same request, and count once.
  assert.equal((await send()).response.status, 200)
  assert.deepEqual(await used(), { QUOTA_REQUESTS: '3' })
  refused(await tag(), /3 requests a day/)
  service.world.advance(DAY)
  assert.equal((await tag()).status, 200)
  assert.deepEqual(await used(), { QUOTA_REQUESTS: '1' })
})

test('neither strangers, nor a member without rights, nor logging in or reading uses up a quota', async (t) => {
  const { service, set, used, tag } = await aQuotaService(t)
  const mallory = await service.user('Mallory')
  const stranger = { ...service.root, key: service.newKey() }
  const elsewhere = await service.newOrganization()
  await set({ requests: 1, cost: 1_000_000, objects: 1, storedBytes: 1_000_000 })
  const before = await used()

  for (const by of [mallory, stranger, { ...elsewhere, organizationId: service.organizationId }])
    for (let times = 0; times < 5; times++) assert.ok([401, 403, 404].includes((await tag(by)).status))
  for (let times = 0; times < 5; times++) {
    assert.equal((await service.submit(service.root, TAG, { userTagName: 7, userIds: [] })).status, 400)
    assert.equal((await service.query(mallory, 'whoami')).status, 200)
    const login = { publicKey: service.newKey().publicKey }
    assert.equal((await service.submit(service.root, 'ACTIVITY_TYPE_STAMP_LOGIN', login)).status, 200)
  }

  const { QUOTA_STORED_BYTES: bytesBefore, ...counted } = before
  const { QUOTA_STORED_BYTES: bytesAfter, ...left } = await used()
  assert.deepEqual(left, counted)
  // Sessions are credentials of the root user, in the charter.
  assert.ok(Number(bytesAfter) > Number(bytesBefore))
  assert.equal((await tag()).status, 200)
})

test('at a full quota an organization can still log in, delete, and reject', async (t) => {
  const { service, set, used, tag, keys } = await aQuotaService(t)
  const { json } = await keys(service.root, 1)
  const [{ privateKeyId }] = json.activity.result.createPrivateKeysResultV2.privateKeys
  const ada = await service.user('Ada')
  const policy = {
    policyName: 'Two of a kind',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'USER' || activity.resource == 'PRIVATE_KEY'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  }
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy)
  const waiting = (await tag(ada)).json.activity
  assert.equal(waiting.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  const deletion = await service.submit(ada, 'ACTIVITY_TYPE_DELETE_PRIVATE_KEYS', {
    privateKeyIds: [privateKeyId],
    deleteWithoutExport: true,
  })
  assert.equal(deletion.json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  await set({ requests: 0, cost: 0, objects: 0, subOrganizations: 0, storedBytes: 0 })
  refused(await tag(), /0 requests a day/)

  const approve = (fingerprint: string) =>
    service.submit(service.root, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  refused(await approve(waiting.fingerprint), /quota of 0 requests/)
  // The vote that carries a deletion out is one too.
  assert.equal(
    (await approve(deletion.json.activity.fingerprint)).json.activity?.status,
    'ACTIVITY_STATUS_COMPLETED',
  )
  const reject = { fingerprint: waiting.fingerprint }
  const rejected = await service.submit(service.root, 'ACTIVITY_TYPE_REJECT_ACTIVITY', reject)
  assert.equal(rejected.json.activity?.status, 'ACTIVITY_STATUS_REJECTED', rejected.text)
  const login = { publicKey: service.newKey().publicKey }
  assert.equal((await service.submit(service.root, 'ACTIVITY_TYPE_STAMP_LOGIN', login)).status, 200)
  const gone = { userIds: [ada.userId] }
  assert.equal((await service.submit(service.root, 'ACTIVITY_TYPE_DELETE_USERS', gone)).status, 200)
  assert.equal((await used())['QUOTA_OBJECTS'], '0')
})

/** The root user is written to by each step of a recovery. */
async function withAddress({ root, done }: TestService): Promise<void> {
  await done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId: root.userId, userEmail: 'root@example.com' })
}

test('at a full quota a root user still stops a recovery, and takes a feature away', async (t) => {
  const { service, set, tag } = await aQuotaService(t)
  const emailAuth = { name: 'FEATURE_NAME_EMAIL_AUTH' }
  await service.done(service.root, SET, { ...emailAuth, value: '' })
  await withAddress(service)
  await underWay(service)
  await set({ requests: 1, messages: 0 })
  assert.equal((await tag()).status, 200)
  refused(await tag(), /1 requests a day/)

  for (const feature of [emailAuth, { name: ATTEMPT }]) {
    const removed = await service.submit(service.root, REMOVE, feature)
    assert.equal(removed.status, 200, removed.text)
  }

  assert.equal(await attemptOf(service, service.root), undefined)
  refused(await tag(), /1 requests a day/)
})

test('at a full quota the rest of the root quorum still takes a stolen key out, though it is the only one of its user', async (t) => {
  const { service, set, tag } = await aQuotaService(t)
  const { root } = service
  const [grace, mallory] = [await service.user('Grace'), await service.user('Mallory')]
  const userIds = [root.userId, grace.userId, mallory.userId]
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  await set({ requests: 0, cost: 0, objects: 0, subOrganizations: 0, storedBytes: 0 })
  refused(await tag(), /0 requests a day/)
  const together = async (type: string, parameters: object) => {
    const asked = await service.submit(root, type, parameters)
    assert.equal(asked.json.activity?.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', asked.text)
    const { fingerprint } = asked.json.activity
    const approved = await service.submit(grace, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
    assert.equal(approved.json.activity?.status, 'ACTIVITY_STATUS_COMPLETED', approved.text)
  }
  const { json } = await service.query(root, 'get_api_keys', { userId: mallory.userId })
  const apiKeyIds = json.apiKeys.map(({ apiKeyId }: JsonAnswer) => apiKeyId)
  const only = await service.submit(root, 'ACTIVITY_TYPE_DELETE_API_KEYS', {
    userId: mallory.userId,
    apiKeyIds,
  })
  const { fingerprint } = only.json.activity
  const kept = await service.submit(grace, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  assert.equal(kept.json.activity?.status, 'ACTIVITY_STATUS_FAILED', kept.text)
  // A thief of this key uses up every day, by requests that wait.
  await together('ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds: userIds.slice(0, 2) })
  await together('ACTIVITY_TYPE_DELETE_USERS', { userIds: [mallory.userId] })
})

test('at a full quota k people still recover an organization, whose root users are gone', async (t) => {
  const { service, set, tag } = await aQuotaService(t)
  const shares = aSet(service)
  await withAddress(service)
  await service.done(service.root, SET, shares.parameters)
  await set({ requests: 0, cost: 0, messages: 0, objects: 0, subOrganizations: 0, storedBytes: 0 })
  refused(await tag(), /0 requests a day/)
  refused(await service.submit(service.root, SET, aSet(service).parameters), /0 requests a day/)

  const begun = await service.submit(shares.member, SET, begin(aComer(service).user))
  assert.equal(begun.status, 200, begun.text)
  const { attemptId } = await attemptOf(service, service.root)
  await passHours(service, 72)
  service.world.advance(1)
  const completed = await service.submit(shares.member, SET, complete(attemptId))
  assert.equal(completed.status, 200, completed.text)
})

test('what only looks like a login is bound: the credential of an application at a provider', async (t) => {
  const { service, set, used } = await aQuotaService(t)
  const credential = {
    provider: 'OAUTH2_PROVIDER_DISCORD',
    clientId: '1087654321098765432',
    encryptedClientSecret: await encryptedClientSecret(),
  }
  const create = async () => {
    service.world.advance(1)
    return await service.submit(service.root, 'ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL', credential)
  }
  await set({ requests: 1, storedBytes: 1_000_000 })
  const { QUOTA_STORED_BYTES: before } = await used()
  assert.equal((await create()).status, 200)
  const { QUOTA_REQUESTS: requests, QUOTA_STORED_BYTES: after } = await used()
  assert.ok(requests === '1' && Number(after) > Number(before), `${requests}, ${before} and ${after}`)
  refused(await create(), /quota of 1 requests a day/)
  await set({ requests: null, storedBytes: Number(after) })
  refused(await create(), /quota of \d+ stored bytes/)
})

test('objects are refused whole, counted as they stand, and deleting makes room', async (t) => {
  const { service, set, used, keys } = await aQuotaService(t)
  const first = await keys(service.root, 2)
  const [{ privateKeyId }] = first.json.activity.result.createPrivateKeysResultV2.privateKeys
  await set({ objects: 3 })
  refused(await keys(service.root, 2), /allotted quota of 3 objects, which the operator/)
  assert.equal((await keys(service.root, 1)).status, 200)
  refused(await keys(service.root, 1), /3 objects/)
  const deletion = { privateKeyIds: [privateKeyId], deleteWithoutExport: true }
  await service.done(service.root, 'ACTIVITY_TYPE_DELETE_PRIVATE_KEYS', deletion)
  assert.deepEqual(await used(), { QUOTA_OBJECTS: '2' })
  assert.equal((await keys(service.root, 1)).status, 200)
  const wallet = {
    walletName: 'Wallet',
    accounts: [1, 2].map((at) => ({
      curve: 'CURVE_SECP256K1',
      pathFormat: 'PATH_FORMAT_BIP32',
      path: `m/44'/60'/${at}'/0/0`,
      addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
    })),
  }
  await set({ objects: 5 })
  refused(await service.submit(service.root, 'ACTIVITY_TYPE_CREATE_WALLET', wallet), /5 objects/)
  await set({ objects: 6 })
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_WALLET', wallet)
  assert.deepEqual(await service.store.quotas.recount(service.organizationId, service.world.now()), [])
  assert.deepEqual(await used(), { QUOTA_OBJECTS: '6' })
})

test('deleting policies makes room again: the texts that stay for records count for nobody', async (t) => {
  const { service, set, used, keys } = await aQuotaService(t)
  await set({ storedBytes: 1_000_000 })
  const { QUOTA_STORED_BYTES: before } = await used()
  await set({ storedBytes: Number(before) + 10_000 })
  for (let n = 0; n < 12; n++) {
    const condition = `activity.kind == '${'x'.repeat(2_000)}${n}'`
    const policy = { policyName: 'Long', effect: 'EFFECT_ALLOW', condition, notes: '' }
    const made = await service.submit(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy)
    assert.equal(made.status, 200, made.text)
    const { policyId } = made.json.activity.result.createPolicyResult
    await service.done(service.root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
  }
  assert.ok(Number((await used())['QUOTA_STORED_BYTES']) < Number(before) + 1_000)
  assert.equal((await keys(service.root, 1)).status, 200)
})

test('sub-organizations count for their parent; what they ask counts for both, and each sees its own', async (t) => {
  const { service, set, used } = await aQuotaService(t)
  const make = async (name: string) => {
    const key = service.newKey()
    const answer = await service.submit(service.root, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7', {
      subOrganizationName: name,
      rootQuorumThreshold: 1,
      rootUsers: [
        {
          userName: 'Eve',
          apiKeys: [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }],
          authenticators: [],
          oauthProviders: [],
        },
      ],
    })
    const made = answer.json.activity?.result?.createSubOrganizationResultV7
    return { answer, key, organizationId: made?.subOrganizationId, userId: made?.rootUserIds[0] }
  }
  await set({ subOrganizations: 2 })
  const [one, two] = [await make('One'), await make('Two')]
  assert.deepEqual([one.answer.status, two.answer.status], [200, 200])
  refused((await make('Three')).answer, /quota of 2 sub-organizations/)
  const gone = await service.submit(two, 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION', {})
  assert.equal(gone.status, 200, gone.text)
  await set({ storedBytes: 100 }, EVERY_ORGANIZATION)
  refused(
    (await make('Three')).answer,
    /the new sub-organization would be over its allotted quota of 100 stored bytes/,
  )
  await set({ storedBytes: null }, EVERY_ORGANIZATION)
  assert.equal((await make('Three')).answer.status, 200)

  await set({ requests: 1_000 }, EVERY_ORGANIZATION)
  await set({ requests: 1, subOrganizations: null })
  const tag = (name: string) => service.submit(one, TAG, { userTagName: name, userIds: [] })
  assert.equal((await tag('A')).status, 200)
  const { status, json } = await tag('B')
  assert.equal(status, 429)
  assert.equal(
    json.message,
    'this sub-organization cannot execute activities because its parent is over its allotted quota of requests a day, which the operator of this service can raise',
  )
  assert.deepEqual(await used(one), { QUOTA_REQUESTS: '1' })
  assert.deepEqual(await used(), { QUOTA_REQUESTS: '1' })
  const elsewhere = await service.newOrganization()
  assert.deepEqual(await used(elsewhere), { QUOTA_REQUESTS: '0' })
})

test('the cost of a request is what the vault says, and a dear one is refused where a cheap one fits', async (t) => {
  const { service, set, used, tag, keys } = await aQuotaService(t)
  await set({ cost: 1_000_000 })
  assert.equal((await tag()).status, 200)
  const cheap = Number((await used())['QUOTA_COST'])
  await keys(service.root, 100)
  const both = Number((await used())['QUOTA_COST'])
  const dear = both - cheap
  assert.ok(cheap > 0 && dear > 4 * cheap, `${cheap}, and ${dear}`)
  await set({ cost: both + 2 * cheap })
  refused(await keys(service.root, 100), /units of cost a day/)
  assert.equal((await tag()).status, 200)
})

test('what is never refused in a sub-organization uses up nothing of its parent’s day', async (t) => {
  const { service, set, used, tag } = await aQuotaService(t)
  const { roots } = await aSubOrganization(service)
  const [mallory] = roots
  await set({ requests: 3 }, EVERY_ORGANIZATION)
  await set({ requests: 10 })

  // A login counts nothing, and deleting its key is never refused.
  for (let times = 0; times < 12; times++) {
    const { publicKey } = service.newKey()
    await service.done(mallory, 'ACTIVITY_TYPE_STAMP_LOGIN', { publicKey })
    const { json } = await service.query(mallory, 'get_api_keys', { userId: mallory.userId })
    const session = json.apiKeys.find((key: JsonAnswer) => key.credential.publicKey === publicKey)
    const { userId } = mallory
    await service.done(mallory, 'ACTIVITY_TYPE_DELETE_API_KEYS', { userId, apiKeyIds: [session.apiKeyId] })
  }

  assert.deepEqual(await used(mallory), { QUOTA_REQUESTS: '12' })
  assert.deepEqual(await used(), { QUOTA_REQUESTS: '0' })
  assert.equal((await tag()).status, 200)
  assert.deepEqual(await used(), { QUOTA_REQUESTS: '1' })
})

test('a member who uses up the day by their own credentials, which every user may change, is deleted at a full quota', async (t) => {
  const { service, set, tag } = await aQuotaService(t)
  const mallory = await service.user('Mallory')
  const { userId } = mallory
  await set({ requests: 2 })
  const apiKeys = [1, 2, 3].map((at) => ({
    apiKeyName: `Key ${at}`,
    publicKey: service.newKey().publicKey,
    curveType: 'API_KEY_CURVE_P256',
  }))
  for (const apiKey of apiKeys.slice(0, 2))
    await service.done(mallory, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId, apiKeys: [apiKey] })
  refused(await tag(), /2 requests a day/)
  refused(
    await service.submit(mallory, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId, apiKeys: apiKeys.slice(2) }),
    /2 requests a day/,
  )
  await service.done(service.root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [userId] })
})
