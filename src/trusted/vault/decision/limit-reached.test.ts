import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { aService, type JsonAnswer, type Member, type Response } from '../../../../test/support/service.ts'
import { workAlone } from '../../base/testing/work-alone.ts'
import { finished, type Work } from '../../base/work.ts'
import { compilePolicy } from '../../policy/compile-policy.ts'
import { allow, NOW, person } from '../../policy/testing/members.ts'
import { withUse } from '../../policy/usage-window.ts'
import { OpenedMeters } from '../usage/usage-meters.ts'
import { usesOf } from '../usage/usage.ts'
import type { Case } from './authorize.ts'
import { limitReached } from './limit-reached.ts'

const service = await aService()
const { root, world } = service
after(() => service.close())

const SIGN = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'
const LIMIT = 'type.googleapis.com/google.rpc.ErrorInfo'
const ACTIVITY = 'type.googleapis.com/google.rpc.ResourceInfo'
const HOUR = 60 * 60 * 1000

let count = 0

async function aPolicy(condition: string, effect = 'EFFECT_ALLOW'): Promise<string> {
  const policy = { policyName: `Policy ${count++}`, effect, condition, notes: '' }
  return (await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy)).policyId
}

async function aKey(): Promise<string> {
  const privateKey = { privateKeyName: `Key ${count++}`, curve: 'CURVE_SECP256K1' }
  const privateKeys = [{ ...privateKey, privateKeyTags: [], addressFormats: [] }]
  const created = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys })
  return created.privateKeys[0].privateKeyId
}

async function sign(by: Member, signWith: string): Promise<Response> {
  world.advance(1)
  return await service.submit(by, SIGN, {
    signWith,
    payload: `${count++}`,
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  })
}

function detailsOf({ status, json }: Response, type: string): readonly JsonAnswer[] {
  assert.equal(status, 403, JSON.stringify(json))
  assert.match(json.message, /^You don't have sufficient permissions to take this action\. /)
  return json.details.filter((detail: JsonAnswer) => detail['@type'] === type)
}

test('a refusal names the activity that is kept of it, also when the same bytes come again', async () => {
  const ada = await service.user('Ada')
  const body = { signWith: await aKey(), payload: '00', encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' }
  const parameters = { ...body, hashFunction: 'HASH_FUNCTION_SHA256' }
  const same = { timestampMs: world.now() }
  const refused = await service.submit(ada, SIGN, parameters, same)
  const [{ resourceType, resourceName: activityId }] = detailsOf(refused, ACTIVITY)
  assert.equal(resourceType, 'activity')
  assert.match(refused.json.message, /Please add a policy granting this user permissions\.$/)
  const { json } = await service.query(root, 'get_activity', { activityId })
  assert.equal(json.activity.status, 'ACTIVITY_STATUS_FAILED')
  assert.deepEqual(json.activity.failure, refused.json)
  assert.deepEqual((await service.submit(ada, SIGN, parameters, same)).json, refused.json)
})

test('what a policy denies is not said to want another policy', async () => {
  const ben = await service.user('Ben')
  const key = await aKey()
  await aPolicy(`private_key.id == '${key}'`)
  const denying = await aPolicy(`private_key.id == '${key}'`, 'EFFECT_DENY')
  const refused = await sign(ben, key)
  assert.doesNotMatch(refused.json.message, /add a policy/i)
  assert.match(refused.json.details[0].message, new RegExp(denying))
  assert.deepEqual(detailsOf(refused, LIMIT), [])
  assert.equal(detailsOf(refused, ACTIVITY).length, 1)
})

for (const kind of ['ALLOW', 'DENY'] as const)
  test(`a limit that refuses is named, with the instant at which there is room: ${kind}`, async () => {
    const eve = await service.user(`Eve ${kind}`)
    const key = await aKey()
    const counted = "usage.count('1h', private_key.id)"
    const ofKey = `private_key.id == '${key}'`
    if (kind === 'DENY') await aPolicy(ofKey)
    // A limit that has room, which no refusal names.
    await aPolicy(`${ofKey} && usage.count('2h', usage.user, private_key.id) > 1000`, 'EFFECT_DENY')
    const policyId =
      kind === 'ALLOW'
        ? await aPolicy(`${ofKey} && ${counted} <= 3`)
        : await aPolicy(`${ofKey} && ${counted} > 3`, 'EFFECT_DENY')
    for (const pause of [0, HOUR / 4, HOUR / 4]) {
      world.advance(pause)
      assert.equal((await sign(eve, key)).status, 200)
    }
    const refused = await sign(eve, key)
    assert.match(refused.json.message, /A limit is reached, and has room for it again from \S+ on\.$/)
    const [limit, ...others] = detailsOf(refused, LIMIT)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [limit.reason, limit.domain, limit.metadata.policyId],
      ['LIMIT_REACHED', 'claviger', policyId],
    )
    const roomFrom = Date.parse(limit.metadata.roomFrom)
    world.advance(roomFrom - world.now() - 2)
    // Each request of this test comes a millisecond later.
    assert.equal((await sign(eve, key)).status, 403)
    assert.equal((await sign(eve, key)).status, 200)
    assert.equal((await sign(eve, key)).status, 403)
  })

test('where several uses must leave the window first, the instant is that of the last of them', async () => {
  const amy = await service.user('Amy')
  const key = await aKey()
  await aPolicy(`private_key.id == '${key}' && usage.count('1h', private_key.id) <= 3`)
  for (let n = 0; n < 3; n++) {
    world.advance(HOUR / 6)
    assert.equal((await sign(amy, key)).status, 200)
  }
  const three = async () => {
    world.advance(1)
    const payloads = Array.from({ length: 3 }, () => `${count++}`)
    const how = { encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction: 'HASH_FUNCTION_SHA256' }
    return await service.submit(amy, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', { signWith: key, payloads, ...how })
  }
  const [limit] = detailsOf(await three(), LIMIT)
  world.advance(Date.parse(limit.metadata.roomFrom) - world.now() - 2)
  assert.equal((await three()).status, 403)
  assert.equal((await three()).status, 200)
})

test('a request that is dear to judge is refused as any other, and looked at for as long as its budget lasts', async () => {
  const ivy = await service.user('Ivy')
  const key = await aKey()
  const dear = `[${Array.from({ length: 650 }, (_, n) => n).join(', ')}].all(x, x >= 0 && x < 1000)`
  const policyId = await aPolicy(
    `private_key.id == '${key}' && usage.count('1h', private_key.id) <= 1010 && ${dear}`,
  )
  for (let n = 0; n < 48; n++) {
    world.advance(HOUR / 60)
    assert.equal((await sign(ivy, key)).status, 200)
  }
  const refused = await service.submit(ivy, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', {
    signWith: key,
    payloads: Array.from({ length: 1_000 }, (_, n) => `${n}`),
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  })
  assert.equal(detailsOf(refused, ACTIVITY).length, 1)
  const [limit] = detailsOf(refused, LIMIT)
  assert.equal(limit.metadata.policyId, policyId)
  assert.ok(Date.parse(limit.metadata.roomFrom) <= world.now() + HOUR)
})

test('a refusal that has used up its budget stays one, and no room is looked for', async () => {
  const policies = [compilePolicy({ policyId: 'P', ...allow("usage.count('1h') <= 1") }, {})]
  const [voter, facts] = [person('M', []), [{}]]
  // Nothing else of an activity or a charter is looked at.
  const subject = {
    activity: { authority: { kind: 'policies' }, resource: 'WALLET' },
    compiled: {
      charter: { organizationId: 'O', rootQuorum: { threshold: 1, userIds: ['R'] }, users: [] },
      policies,
      opaquePolicies: [],
      everyone: [voter],
      meters: policies.flatMap(({ condition }) => condition?.meters ?? []),
    },
    facts,
    proposerId: 'M',
    now: NOW,
  } as never as Case
  const uses = finished(usesOf(subject.compiled, facts))
  const opened = uses.map(({ id, meter }) => [id, { slots: withUse([], 1n, meter.windowMs, NOW) }] as const)
  const usage = new OpenedMeters(uses, new Map(opened) as never, NOW)
  const denied = { kind: 'deny', evaluations: [], deniedBy: [] } as const
  const foundWith = async (work: Work) =>
    await limitReached(subject, { approvals: [voter], voter, usage }, denied, work)

  assert.deepEqual((await foundWith(workAlone()))?.policyIds, ['P'])
  // What it cost to open the charter is no part of what the search may cost.
  const opening = workAlone()
  opening.chargeUnbounded(opening.left)
  assert.deepEqual((await foundWith(opening))?.policyIds, ['P'])
  const spent = workAlone()
  spent.charge(spent.left)
  assert.equal(await foundWith(spent), undefined)
})

test('no limit is named to whom it is not the limit that refuses', async () => {
  const gus = await service.user('Gus')
  const hana = await service.user('Hana')
  const key = await aKey()
  await aPolicy(
    `private_key.id == '${key}' && usage.user == '${gus.userId}' && usage.count('1h', private_key.id) <= 1`,
  )
  assert.equal((await sign(gus, key)).status, 200)
  const refused = await sign(gus, key)
  assert.equal(detailsOf(refused, LIMIT).length, 1)
  const other = await sign(hana, key)
  assert.deepEqual(detailsOf(other, LIMIT), [])
  assert.match(other.json.message, /Please add a policy/)
  await aPolicy(`private_key.id == '${key}'`, 'EFFECT_DENY')
  const denied = await sign(gus, key)
  assert.deepEqual(detailsOf(denied, LIMIT), [])
})

test('who is not known here, or belongs to somebody else, is told nothing in details', async () => {
  const key = await aKey()
  await aPolicy(`private_key.id == '${key}'`, 'EFFECT_DENY')
  const stranger = { ...root, key: service.newKey() }
  const other = await service.newOrganization()
  const asked = { organizationId: root.organizationId }
  for (const by of [stranger, other]) {
    const parameters = { signWith: key, payload: '00', encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' }
    const body = { ...parameters, hashFunction: 'HASH_FUNCTION_SHA256' }
    const { status, json } = await service.submit(by, SIGN, body, asked)
    assert.equal(status, 401)
    for (const { '@type': type } of json.details)
      assert.equal(type, 'type.googleapis.com/errors.v1.TurnkeyErrorDetail')
  }
})
