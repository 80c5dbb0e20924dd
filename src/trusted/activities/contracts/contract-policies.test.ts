import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { encodeFunctionData, parseAbi } from 'viem'
import { aService, type Member } from '../../../../test/support/service.ts'
import { fromHex } from '../../base/bytes.ts'
import { tx } from '../../chains/ethereum/testing/transactions.ts'
import { openSqlite } from '../../../host/store/sqlite/sqlite.ts'
import type { ObjectRow } from '../../catalogue/unit.ts'
import type { Store } from '../../../host/store/store.ts'

const abi = parseAbi([
  'function transfer(address to, uint256 amt)',
  'function multicall((address target, bytes data)[] calls)',
])
const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const ONE = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const OTHER = '0x2222222222222222222222222222222222222222'
const ALLOW = 'EFFECT_ALLOW'
const DENY = 'EFFECT_DENY'

const token = {
  smartContractAddress: TOKEN.toLowerCase(),
  smartContractInterface: JSON.stringify(abi),
  type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
  label: 'Token',
}

/** A service with a key and a user who may only do what policies say. */
async function setting(t: TestContext, store: Store = openSqlite({ path: ':memory:' })) {
  const service = await aService({ store })
  t.after(service.close)
  const { root } = service
  const member = await service.user('Grace')
  const { privateKeys } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      {
        privateKeyName: 'Treasury',
        curve: 'CURVE_SECP256K1',
        privateKeyTags: [],
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      },
    ],
  })
  const signWith = privateKeys[0].addresses[0].address
  let made = 0
  return {
    service,
    root,
    upload: async (by: Member = root, made = token) =>
      (await service.done(by, 'ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE', made))
        .smartContractInterfaceId,
    remove: async (smartContractInterfaceId: string) => {
      await service.done(root, 'ACTIVITY_TYPE_DELETE_SMART_CONTRACT_INTERFACE', { smartContractInterfaceId })
    },
    policy: async (effect: string, condition: string) => {
      const policy = { policyName: `Policy ${made++}`, effect, condition, notes: '' }
      await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy)
    },
    sign: async (data: string, how: keyof typeof signings = 'transaction') => {
      const [type, parameters] = signings[how](tx(2, { to: bytesOf(TOKEN), data: bytesOf(data) }))
      service.world.advance(1)
      return (await service.submit(member, type, { signWith, ...parameters })).status
    },
  }
}

/** The ways to have a transaction signed. */
const signings = {
  transaction: (unsignedTransaction: string) => [
    'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    { type: 'TRANSACTION_TYPE_ETHEREUM', unsignedTransaction },
  ],
  payload: (payload: string) => ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', { payload, ...HASHED }],
  payloads: (payload: string) => ['ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', { payloads: [payload], ...HASHED }],
} satisfies Record<string, (unsignedTransaction: string) => readonly [string, object]>

const HASHED = { encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction: 'HASH_FUNCTION_KECCAK256' }

function bytesOf(hex: string): Uint8Array {
  return fromHex(hex.slice(2)) ?? new Uint8Array()
}

function transfer(amount: bigint): string {
  return encodeFunctionData({ abi, functionName: 'transfer', args: [ONE, amount] })
}

function multicall(...targets: readonly `0x${string}`[]): string {
  const calls = targets.map((target) => ({ target, data: '0x00' as const }))
  return encodeFunctionData({ abi, functionName: 'multicall', args: [calls] })
}

const BELOW_100 = "eth.tx.function_name == 'transfer' && eth.tx.contract_call_args['amt'] < 100"

test('a policy about an argument allows below its bound and not at it', async (t) => {
  const { upload, policy, sign } = await setting(t)
  await policy(ALLOW, BELOW_100)
  assert.equal(await sign(transfer(99n)), 403)
  await upload()
  assert.equal(await sign(transfer(99n)), 200)
  assert.equal(await sign(transfer(100n)), 403)
})

test('the interfaces of another organization do not count, and a deleted one no longer does', async (t) => {
  const { service, upload, remove, policy, sign } = await setting(t)
  await policy(ALLOW, BELOW_100)
  await upload(await service.newOrganization())
  assert.equal(await sign(transfer(99n)), 403)
  const smartContractInterfaceId = await upload()
  assert.equal(await sign(transfer(99n)), 200)
  await remove(smartContractInterfaceId)
  assert.equal(await sign(transfer(99n)), 403)
})

test('a policy looks into tuples by position, whatever the case of addresses, and not by name', async (t) => {
  const { upload, policy, sign } = await setting(t)
  await upload()
  await policy(ALLOW, `eth.tx.contract_call_args['calls'].all(c, c[0] == '0x${'A'.repeat(40)}')`)
  assert.equal(await sign(multicall(ONE, ONE)), 200)
  assert.equal(await sign(multicall(ONE, OTHER)), 403)

  await policy(ALLOW, `eth.tx.contract_call_args['calls'].all(c, c['target'] == '${OTHER}')`)
  assert.equal(await sign(multicall(OTHER)), 403)
})

test('arguments that two decoders could read differently slip past no DENY policy', async (t) => {
  const { upload, policy, sign } = await setting(t)
  await upload()
  await policy(ALLOW, "activity.action == 'SIGN'")
  await policy(DENY, "eth.tx.contract_call_args['amt'] >= 100")
  assert.equal(await sign(transfer(99n)), 200)
  assert.equal(await sign(transfer(100n)), 403)
  assert.equal(await sign(`${transfer(100n)}00`), 403)
  assert.equal(
    await sign(transfer(99n).replace('0x' + 'a9059cbb' + '0'.repeat(24), `0xa9059cbb${'0'.repeat(23)}1`)),
    403,
  )
})

for (const how of ['transaction', 'payload', 'payloads'] as const)
  test(`a host that withholds an interface gets no signature of a ${how} past a DENY policy`, async (t) => {
    let isWithheld = false
    const inner = openSqlite({ path: ':memory:' })
    const objects: Store['objects'] = async (organizationId, kind, ids) =>
      isWithheld && kind === 'smart_contract_interface' ? [] : await inner.objects(organizationId, kind, ids)
    const { upload, policy, sign } = await setting(t, { ...inner, objects })
    await upload()
    await policy(ALLOW, "activity.action == 'SIGN'")
    await policy(DENY, "eth.tx.contract_call_args['amt'] >= 100")
    isWithheld = true
    assert.equal(await sign(transfer(1_000n), how), 400)
    isWithheld = false
    assert.equal(await sign(transfer(1_001n), how), 403)
    assert.equal(await sign(transfer(99n), how), 200)
  })

for (const how of ['transaction', 'payload', 'payloads'] as const)
  test(`a host that brings a deleted interface gets no signature of a ${how} by it`, async (t) => {
    let alsoBrought: readonly ObjectRow[] = []
    const inner = openSqlite({ path: ':memory:' })
    const objects: Store['objects'] = async (organizationId, kind, ids) => {
      const rows = await inner.objects(organizationId, kind, ids)
      return kind === 'smart_contract_interface' ? [...alsoBrought, ...rows] : rows
    }
    const { root, upload, remove, policy, sign } = await setting(t, { ...inner, objects })
    await policy(ALLOW, "eth.tx.contract_call_args['amt'] < 100")
    const mistaken = parseAbi(['function sell(uint256 least, uint256 amt)'])
    const deletedId = await upload(root, { ...token, smartContractInterface: JSON.stringify(mistaken) })
    const deleted = await inner.objects(root.organizationId, 'smart_contract_interface', [deletedId])
    await remove(deletedId)
    const abi = parseAbi(['function sell(uint256 amt, uint256 least)'])
    const sale = (...args: readonly [amt: bigint, least: bigint]) =>
      encodeFunctionData({ abi, functionName: 'sell', args })

    alsoBrought = deleted
    assert.equal(await sign(sale(1_000n, 1n), how), 400)
    await upload(root, { ...token, smartContractInterface: JSON.stringify(abi) })
    assert.equal(await sign(sale(1_001n, 1n), how), 400)
  })

test('a function that the interface leaves out passes over no policy about functions', async (t) => {
  const { upload, policy, sign } = await setting(t)
  await upload()
  await policy(ALLOW, 'true')
  await policy(DENY, `eth.tx.to == '${TOKEN}' && eth.tx.function_name != 'transfer'`)
  assert.equal(await sign(transfer(1n)), 200)
  assert.equal(await sign(multicall(ONE)), 403)
  // `approve` of the token, which the uploaded interface does not have.
  assert.equal(await sign(`0x095ea7b3${'11'.padStart(64, '0')}${'ff'.repeat(32)}`), 403)
  assert.equal(await sign('0x'), 403)
})
