import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { aService, type JsonAnswer, type TestService } from '../../../../test/support/service.ts'

const HOUR = 60 * 60 * 1000
const SIGN = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'

async function aTreasury(t: TestContext) {
  const service = await aService()
  t.after(service.close)
  const keys: string[] = []
  for (const privateKeyName of ['One', 'Two']) {
    const { privateKeys } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: [{ privateKeyName, curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] }],
    })
    keys.push(privateKeys[0].privateKeyId)
  }
  const [one = '', two = ''] = keys
  let n = 0
  const signed = async (signWith: string): Promise<number> => {
    const payload = {
      signWith,
      payload: `${n++}`,
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    }
    return (await service.submit(ada, SIGN, payload)).status
  }
  const ada = await service.user('Ada')
  return { service, ada, one, two, signed }
}

async function aLimit(service: TestService, condition: string, effect = 'EFFECT_ALLOW'): Promise<string> {
  const policy = { policyName: condition.slice(0, 60), effect, condition, notes: '' }
  return (await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy)).policyId
}

async function usage(service: TestService, body: object = {}): Promise<JsonAnswer> {
  const { status, json, text } = await service.query(service.root, 'list_limit_usage', body)
  assert.equal(status, 200, text)
  return json
}

test('a limit is told with what is used of it, and there is room again when it says so', async (t) => {
  const { service, one, two, signed } = await aTreasury(t)
  const policyId = await aLimit(
    service,
    "activity.action == 'SIGN' && usage.count('1h', private_key.id) <= 2",
  )
  assert.deepEqual([await signed(one), await signed(two)], [200, 200])
  service.world.advance(HOUR / 2)
  assert.deepEqual([await signed(one), await signed(one)], [200, 403])

  const { limits, counts } = await usage(service)
  assert.deepEqual(limits, [
    {
      policyId,
      policyName: limits[0].policyName,
      effect: 'EFFECT_ALLOW',
      usage: "usage.count('1h', private_key.id)",
      windowMs: String(HOUR),
      countedBy: ['private_key.id'],
      most: '2',
    },
  ])
  const of = (key: string) => counts.find(({ countedBy }: JsonAnswer) => countedBy[0] === key)
  assert.deepEqual([of(one).used, of(two).used], ['2', '1'])
  const [first] = of(one).releases
  assert.equal(first.amount, '1')
  const at = Number(first.at.seconds) * 1000 + Number(first.at.nanos) / 1e6
  service.world.advance(at - 1 - service.world.now())
  assert.equal(await signed(one), 403)
  service.world.advance(1)
  assert.equal((await usage(service, { policyId, countedBy: [one] })).counts[0].used, '1')
  assert.equal(await signed(one), 200)
})

test('each way to write a limit has the same most', async (t) => {
  const { service } = await aTreasury(t)
  const by = "'2h', private_key.id"
  await aLimit(service, `usage.count(${by}) <= 5`)
  await aLimit(service, `6 > usage.count(${by})`)
  await aLimit(service, `private_key.id == 'x' && usage.count(${by}) > 5`, 'EFFECT_DENY')
  await aLimit(service, `!(usage.count(${by}) >= 6) || usage.sum(eth.tx.value, '2h') < 6`)
  const { limits } = await usage(service)
  assert.deepEqual(
    limits.map(({ most }: JsonAnswer) => most),
    ['5', '5', '5', '5', '5'],
  )
})

test('a velocity control is a limit too, and a policy without limits has none', async (t) => {
  const { service } = await aTreasury(t)
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_VELOCITY_CONTROL', {
    name: 'Signatures',
    identifier: 'signatures',
    dataSource: { activityExecution: {} },
    aggregation: {
      method: 'VELOCITY_CONTROL_AGGREGATION_METHOD_COUNT',
      operator: 'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN',
      threshold: '100',
      window: { rolling: { duration: '3600' } },
      groupBy: { user: {} },
    },
  })
  await aLimit(service, 'controls.signatures')
  await aLimit(service, "activity.action == 'EXPORT'", 'EFFECT_DENY')
  const { limits } = await usage(service)
  assert.equal(limits.length, 1)
  assert.deepEqual(limits[0].countedBy, ['usage.user'])
})

test('what is used of one account is found among many, page by page or by its name', async (t) => {
  const { service, one, two, signed } = await aTreasury(t)
  const policyId = await aLimit(
    service,
    "activity.action == 'SIGN' && usage.count('1h', private_key.id) <= 2",
  )
  await signed(one)
  await signed(two)
  const first = await usage(service, { limit: '1' })
  const second = await usage(service, { limit: '1', after: first.next })
  const third = await usage(service, { limit: '1', after: second.next })
  const seen = [first, second].flatMap(({ counts }) =>
    counts.map(({ countedBy }: JsonAnswer) => countedBy[0]),
  )
  assert.deepEqual([seen.toSorted(), third.counts, third.next], [[one, two].toSorted(), [], undefined])
  const named = await usage(service, { policyId, countedBy: [two] })
  assert.deepEqual(
    named.counts.map(({ countedBy }: JsonAnswer) => countedBy),
    [[two]],
  )
  assert.deepEqual((await usage(service, { countedBy: ['x'] })).counts, [])
})

test('a meter that no policy asks any more is told no more, and another organization sees none', async (t) => {
  const { service, one, signed } = await aTreasury(t)
  const policyId = await aLimit(
    service,
    "activity.action == 'SIGN' && usage.count('1h', private_key.id) <= 2",
  )
  await signed(one)
  const other = await service.newOrganization()
  const theirs = await service.query(other, 'list_limit_usage', { countedBy: [one] })
  assert.deepEqual(theirs.json, { limits: [], counts: [] })
  const stolen = await service.query(other, 'list_limit_usage', { policyId })
  assert.equal(stolen.status, 404)
  await service.done(service.root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
  assert.deepEqual(await usage(service), { limits: [], counts: [] })
})
