import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serializeTransaction } from 'viem'
import type { Meter } from '../../policy/meters.ts'
import { costs } from '../../base/costs.ts'
import type { CompiledCharter } from '../charters/compiled-charter.ts'
import { type CountedUse, earlierUsage, usesOf } from './usage.ts'
import { aService, type Member, type TestService } from '../../../../test/support/service.ts'

const service: TestService = await aService()
const { root } = service
after(() => service.close())

const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const HOUR = 60 * 60 * 1000

let names = 0
async function aWallet(): Promise<string> {
  const made = await service.done(root, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: `Wallet ${names++}`,
    accounts: [
      {
        curve: 'CURVE_SECP256K1',
        pathFormat: 'PATH_FORMAT_BIP32',
        path: "m/44'/60'/0'/0/0",
        addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
      },
    ],
  })
  return made.addresses[0]
}

async function aPolicy(effect: string, condition: string, more: object = {}): Promise<string> {
  const made = await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: `Policy ${names++}`,
    effect,
    condition,
    notes: '',
    ...more,
  })
  return made.policyId
}

let nonce = 0
function transfer(value: bigint, to: `0x${string}` = TO): string {
  return serializeTransaction({
    type: 'eip1559',
    chainId: 1,
    nonce: nonce++,
    gas: 21_000n,
    maxFeePerGas: 2n,
    maxPriorityFeePerGas: 1n,
    to,
    value,
  })
}

async function sent(by: Member, signWith: string, value: bigint): Promise<number> {
  const { status } = await service.submit(by, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
    signWith,
    type: 'TRANSACTION_TYPE_ETHEREUM',
    unsignedTransaction: transfer(value),
  })
  return status
}

test('what an account sends in a day is never more than its limit, however many requests come at once', async () => {
  const ada = await service.user('Ada')
  const [account, other] = [await aWallet(), await aWallet()]
  const policyId = await aPolicy(
    'EFFECT_ALLOW',
    "usage.sum(eth.tx.value, '24h', wallet_account.address) <= 100",
  )
  const statuses = await Promise.all(Array.from({ length: 25 }, () => sent(ada, account, 10n)))
  assert.equal(statuses.filter((status) => status === 200).length, 10)
  assert.equal(statuses.filter((status) => status === 403).length, 15)
  assert.equal(await sent(ada, other, 100n), 200)
  assert.equal(await sent(ada, other, 1n), 403)
  service.world.advance(25 * HOUR)
  assert.equal(await sent(ada, account, 100n), 200)
  assert.equal(await sent(ada, account, 1n), 403)
  await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
})

test('a request with the root quorum behind it is not bound by a limit, and its use counts', async () => {
  const bea = await service.user('Bea')
  const account = await aWallet()
  const policyId = await aPolicy(
    'EFFECT_ALLOW',
    "usage.sum(eth.tx.value, '24h', wallet_account.address) <= 100",
  )
  assert.equal(await sent(root, account, 95n), 200)
  assert.equal(await sent(bea, account, 6n), 403)
  assert.equal(await sent(bea, account, 5n), 200)
  await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
})

test('signatures are counted by user, and only those that were made', async () => {
  const [cyd, dan] = [await service.user('Cyd'), await service.user('Dan')]
  const account = await aWallet()
  const allow = await aPolicy('EFFECT_ALLOW', "activity.action == 'SIGN'")
  const deny = await aPolicy('EFFECT_DENY', "activity.action == 'SIGN' && usage.count('1h', usage.user) > 2")
  const payload = (text: string) => ({
    signWith: account,
    payload: text,
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  })
  const signed = async (by: Member, text: string) =>
    (await service.submit(by, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', payload(text))).status
  // What is refused for its form is not counted.
  assert.equal(
    (
      await service.submit(cyd, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
        ...payload('zz'),
        encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      })
    ).status,
    400,
  )
  assert.deepEqual(
    [await signed(cyd, 'a'), await signed(cyd, 'b'), await signed(cyd, 'c'), await signed(dan, 'd')],
    [200, 200, 403, 200],
  )
  await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICIES', { policyIds: [allow, deny] })
})

test('what several payloads of one request use counts together', async () => {
  const eve = await service.user('Eve')
  const account = await aWallet()
  const policyId = await aPolicy(
    'EFFECT_ALLOW',
    "usage.sum(eth.tx.value, '1d', wallet_account.address) <= 100",
  )
  const signed = async (values: readonly bigint[]) =>
    (
      await service.submit(eve, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', {
        signWith: account,
        payloads: values.map((value) => transfer(value)),
        encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
        hashFunction: 'HASH_FUNCTION_KECCAK256',
      })
    ).status
  assert.equal(await signed([60n, 60n]), 403)
  assert.equal(await signed([60n, 40n]), 200)
  assert.equal(await signed([1n]), 403)
  await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
})

test('a request of several payloads counts each of them, whether or not it shows anything', async () => {
  const ivy = await service.user('Ivy')
  const account = await aWallet()
  const policyId = await aPolicy('EFFECT_ALLOW', "usage.count('1h', wallet_account.address, usage.user) <= 3")
  const signed = async (payloads: readonly string[], hashFunction: string) => {
    service.world.advance(1)
    const parameters = { signWith: account, payloads, encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction }
    return (await service.submit(ivy, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', parameters)).status
  }
  const digest = '11'.repeat(32)
  assert.equal(await signed([digest, digest, digest, digest], 'HASH_FUNCTION_NO_OP'), 403)
  assert.equal(await signed([digest, digest], 'HASH_FUNCTION_NO_OP'), 200)
  assert.equal(await signed([transfer(1n), transfer(1n)], 'HASH_FUNCTION_KECCAK256'), 403)
  assert.equal(await signed([digest, '22'], 'HASH_FUNCTION_SHA256'), 403)
  assert.equal(await signed([digest], 'HASH_FUNCTION_NO_OP'), 200)
  assert.equal(await signed([digest], 'HASH_FUNCTION_NO_OP'), 403)
  await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
})

test('a request that would count in very many meters is refused to every user', async () => {
  const account = await aWallet()
  const nonces = Array.from({ length: 4 }, (_, hour) => `usage.count('${hour + 1}h', eth.tx.to) < 1000`)
  const policyId = await aPolicy('EFFECT_ALLOW', nonces.join(' && '))
  const payments = (count: number) =>
    Array.from({ length: count }, (_, to) => transfer(1n, `0x${to.toString(16).padStart(40, '0')}`))
  const signed = async (payloads: readonly string[]) =>
    await service.submit(root, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', {
      signWith: account,
      payloads,
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    })
  assert.equal((await signed(payments(200))).status, 200)
  const { status, json } = await signed(payments(201))
  assert.deepEqual([status, json.code], [400, 3])
  assert.match(json.message, /^too many limits: /)
  await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
})

test('as many limits as there may be in all policies leave every single request possible', async () => {
  let minutes = 0
  const distinct = () => `usage.count('${(minutes += 1)}m') < 1000`
  const kept = (await service.query(root, 'list_policies')).json.policies.length
  const policies = Array.from({ length: 100 - kept }, (_, at) => ({
    policyName: `Eight limits ${at}`,
    effect: 'EFFECT_DENY',
    condition: Array.from({ length: 8 }, distinct).join(' && '),
    notes: '',
  }))
  const { policyIds } = await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICIES', { policies })
  await service.done(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Counted', userIds: [] })
  await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICIES', { policyIds })
})

test('other work waits while meters are asked, and longer for one that takes more steps', () => {
  const charter = { organizationId: 'o' }
  const costOf = (steps: number): number => {
    const use: Meter['use'] = (_, budget) => {
      budget.steps -= steps
      return { key: 'k', by: [], amount: 1n }
    }
    // All that is looked at.
    const compiled = { charter, meters: [{ key: 'k', text: 'count()', windowMs: HOUR, use }] }
    return [...usesOf(compiled as unknown as CompiledCharter, [{}])].reduce((sum, cost) => sum + cost, 0)
  }
  assert.ok(costOf(0) > 0)
  assert.equal(Math.round(costOf(1_000) - costOf(0)), 1_000 * costs.expressionStep)
})

test('what one part of a request uses is never taken for nothing because its meter was not read', () => {
  const meter = { key: 'k', text: 'count()', windowMs: HOUR, use: () => ({ key: 'k', by: [], amount: 5n }) }
  // The steps ran out after the first part.
  const uses = [{ id: 'i', organizationId: 'o', key: 'k', meter, amounts: new Map([[0, 5n]]), total: 5n }]
  const seenAt = (at: number) => earlierUsage(uses, () => 10n)(at)('k')
  assert.equal(seenAt(0), 10n)
  assert.equal(seenAt(1), undefined)
})

test('each meter is looked at once for a request, whatever number of things it does', () => {
  const meter = { key: 'k', text: 'count()', windowMs: HOUR, use: () => ({ key: 'k', by: [], amount: 1n }) }
  const things = Array.from({ length: 100 }, (_, at) => at)
  const uses = ['k', 'l'].map((key): CountedUse => {
    const amounts = new Map(things.map((at) => [at, 1n]))
    return { id: key, organizationId: 'o', key, meter, amounts, total: 100n }
  })
  const looked: string[] = []
  const usageAt = earlierUsage(uses, ({ key }) => {
    looked.push(key)
    return 10n
  })
  for (const at of things) for (const { key } of uses) assert.equal(usageAt(at)(key), 109n)
  assert.deepEqual(looked, ['k', 'l'])
})

test('a limit waits for approvals without counting, and counts when it is carried out', async () => {
  const [fay, gus] = [await service.user('Fay'), await service.user('Gus')]
  const account = await aWallet()
  const policyId = await aPolicy(
    'EFFECT_ALLOW',
    `wallet_account.address == '${account}' && usage.count('1h', wallet_account.address) <= 1`,
    { consensus: `approvers.any(u, u.id == '${fay.userId}') && approvers.any(u, u.id == '${gus.userId}')` },
  )
  const ask = async () =>
    await service.submit(fay, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
      signWith: account,
      type: 'TRANSACTION_TYPE_ETHEREUM',
      unsignedTransaction: transfer(1n),
    })
  const [first, second] = [await ask(), await ask()]
  const statusOf = async ({ json }: Awaited<ReturnType<typeof ask>>) =>
    (
      await service.submit(gus, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
        fingerprint: json.activity.fingerprint,
      })
    ).json.activity?.status
  assert.equal(first.json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.equal(second.json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.equal(await statusOf(first), 'ACTIVITY_STATUS_COMPLETED')
  assert.notEqual(await statusOf(second), 'ACTIVITY_STATUS_COMPLETED')
  await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
})

test('while the guard is set, bytes that show nothing are signed only where a policy grants it by name', async () => {
  const ida = await service.user('Ida')
  const account = await aWallet()
  const anything = await aPolicy('EFFECT_ALLOW', `wallet_account.address == '${account}'`)
  const signed = async () =>
    (
      await service.submit(ida, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
        signWith: account,
        payload: `${nonce++}`,
        encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
        hashFunction: 'HASH_FUNCTION_SHA256',
      })
    ).status
  assert.equal(await signed(), 200)
  const name = 'FEATURE_NAME_RAW_SIGNING_GUARD'
  await service.done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name, value: '' })
  assert.equal(await signed(), 403)
  assert.equal(await sent(ida, account, 1n), 200)
  const opaque = await aPolicy('EFFECT_ALLOW', `wallet_account.address == '${account}' && payload.opaque`)
  assert.equal(await signed(), 200)
  await service.done(root, 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE', { name })
  await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICIES', { policyIds: [anything, opaque] })
})
