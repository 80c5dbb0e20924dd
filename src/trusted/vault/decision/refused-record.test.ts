import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { present } from '../../base/assert.ts'
import { aService, type JsonAnswer, type TestService } from '../../../../test/support/service.ts'
import { stampWith } from '../../../../test/support/stamper.ts'

const SIGN = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'

async function setting(t: TestContext) {
  const service = await aService()
  t.after(service.close)
  const { privateKeys } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      { privateKeyName: 'Key', curve: 'CURVE_SECP256K1', addressFormats: [], privateKeyTags: [] },
    ],
  })
  const signWith: string = privateKeys[0].privateKeyId
  /** To sign about this many characters. */
  const large = (characters: number): object => ({
    signWith,
    payload: 'ab'.repeat(characters / 2),
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_SHA256',
  })
  return { service, large, stranger: await service.user('Stranger') }
}

/** The newest record of the organization, and how much of the store it takes. */
async function newestOf({ store, organizationId }: TestService) {
  const [newest] = await store.activities(organizationId, {}, { limit: 1 })
  const row = present(newest, 'a record')
  return { row, characters: Object.values(row).join('').length }
}

test('a refused request of hundreds of kilobytes leaves a small record, with the digest of its bytes', async (t) => {
  const { service, large, stranger } = await setting(t)
  const { status } = await service.submit(stranger, SIGN, large(200_000))
  assert.equal(status, 403)
  const { row, characters } = await newestOf(service)
  assert.equal(row.status, 'ACTIVITY_STATUS_FAILED')
  assert.match(row.fingerprint, /^sha256:[0-9a-f]{64}$/)
  assert.ok(characters < 16_000, `${characters} characters`)
})

test('a refused request that is small is kept and shown whole', async (t) => {
  const { service, large, stranger } = await setting(t)
  const asked = large(8_000)
  await service.submit(stranger, SIGN, asked)
  const { row } = await newestOf(service)
  assert.deepEqual(JSON.parse(row.intent), asked)
  assert.deepEqual(JSON.parse(JSON.parse(row.votes)[0].message).parameters, asked)
})

test('a refused request of 16 KiB is kept whole, and of one with a character more the beginning', async (t) => {
  const { service, large, stranger } = await setting(t)
  const { organizationId, world } = service
  for (const [characters, kept] of [
    [16 * 1024, 16 * 1024],
    [16 * 1024 + 1, 2 * 1024],
  ] as const) {
    world.advance(1)
    const asked = { type: SIGN, timestampMs: String(world.now()), organizationId, parameters: large(8_000) }
    const body = JSON.stringify(asked).padEnd(characters)
    const { stampHeaderName, stampHeaderValue } = stampWith(stranger.key, body)
    const headers = { [stampHeaderName]: stampHeaderValue }
    assert.equal((await service.post('/public/v1/submit/sign_raw_payload', body, headers)).status, 403)
    const { row } = await newestOf(service)
    assert.equal(JSON.parse(row.votes)[0].message.length, kept)
  }
})

test('a large refused request is shown to clients with an empty intent and the beginning of its text', async (t) => {
  const { service, large, stranger } = await setting(t)
  await service.submit(stranger, SIGN, large(100_000))
  const { row } = await newestOf(service)
  const { status, json } = await service.query(service.root, 'get_activity', { activityId: row.activityId })
  assert.equal(status, 200)
  const { activity }: JsonAnswer = json
  assert.deepEqual(activity.intent, {})
  const [vote] = activity.votes
  assert.ok(vote.message.includes(SIGN) && vote.message.isWellFormed())
  assert.equal(vote.message.length, 2_048)
  const listed = await service.query(service.root, 'list_activities', {})
  assert.equal(listed.status, 200)
})

test('the same bytes as those of a large refused request are refused again, and leave no second record', async (t) => {
  const { service, large, stranger } = await setting(t)
  const same = { timestampMs: service.world.now() }
  const first = await service.submit(stranger, SIGN, large(100_000), same)
  const { organizationId, store } = service
  const before = await store.activities(organizationId, {}, { limit: 1_000 })
  const again = await service.submit(stranger, SIGN, large(100_000), same)
  assert.deepEqual([again.status, again.json], [first.status, first.json])
  assert.deepEqual(await store.activities(organizationId, {}, { limit: 1_000 }), before)
})

test('a large request that is allowed, or that waits, keeps every byte: a vote is proven again by them', async (t) => {
  const { service } = await setting(t)
  const other = await service.user('Other')
  await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', {
    threshold: 2,
    userIds: [service.root.userId, other.userId],
  })
  const asked = { policyName: 'Large', effect: 'EFFECT_ALLOW', condition: 'true', notes: 'n'.repeat(3_000) }
  const { json } = await service.submit(service.root, 'ACTIVITY_TYPE_CREATE_POLICIES', {
    policies: Array.from({ length: 10 }, (_, at) => ({ ...asked, policyName: `Large ${at}` })),
  })
  assert.equal(json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  const { row } = await newestOf(service)
  assert.ok(row.intent.length > 30_000)
  const { fingerprint } = json.activity
  const approved = await service.submit(other, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  assert.equal(approved.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
})
