import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { encryptPrivateKeyToBundle } from '@turnkey/crypto'
import { parseTransaction, serializeTransaction } from 'viem'
import { vectors } from '../../../../test/support/vectors.ts'
import { present } from '../../base/assert.ts'
import { aService, type Member, type TestService } from '../../../../test/support/service.ts'
import { signTransaction } from './sign-transaction.ts'

const CASES = 12

type Known = {
  readonly type: string
  readonly kind?: string
  readonly signWith: string
  readonly unsignedTransaction: string
  readonly signedTransaction: string
  readonly note?: string
}

const service: TestService = await aService()
const { root } = service
after(() => service.close())

test('every known transaction is signed, to the byte where a signature has no free part', async () => {
  const { signTransaction: cases } = vectors<{ readonly signTransaction: readonly Known[] }>(
    'facts/crypto-kats.json',
  )
  const addresses = vectors<readonly Record<string, string>[]>('facts/address-vectors.json')
  assert.equal(cases.length, CASES)
  for (const address of new Set(cases.map(({ signWith }) => signWith)))
    await imported(
      present(
        addresses.find((record) => record['address'] === address && record['privateKey'] !== undefined),
        address,
      ),
    )
  for (const { type, signWith, unsignedTransaction, signedTransaction, note, kind } of cases) {
    const { signedTransaction: signed } = await service.done(root, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
      signWith,
      type,
      unsignedTransaction,
    })
    if (note?.includes('compare by verification') === true)
      assert.equal(signed.length, signedTransaction.length, kind)
    else assert.equal(signed, signedTransaction, `${type} ${kind}`)
  }
})

test('the documented example is a transaction, and its result how the signed one begins', async () => {
  const { intent, result } = JSON.parse(JSON.stringify(signTransaction.example))
  const example = { ...intent, signWith: await anAddress() }
  const { signedTransaction } = await service.done(root, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', example)
  assert.ok(signedTransaction.startsWith(result.signedTransaction.replace('…', '')), signedTransaction)
})

test('the first type with the parameters of the second, as tkcli sends it, is the second', async () => {
  const { signWith, ...what } = { ...JSON.parse(JSON.stringify(signTransaction.example.intent)) }
  const address = await anAddress()
  for (const parameters of [
    { signWith: address, ...what },
    { sign_with: address, private_key_id: null, ...what },
  ]) {
    const { status, json, text } = await service.submit(root, 'ACTIVITY_TYPE_SIGN_TRANSACTION', parameters)
    assert.equal(status, 200, text)
    assert.equal(json.activity.type, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2')
    assert.deepEqual(json.activity.intent, { signTransactionIntentV2: { signWith: address, ...what } })
    assert.ok(
      json.activity.result.signTransactionResult.signedTransaction.length > what.unsignedTransaction.length,
    )
    const again = await service.query(root, 'get_activity', { activityId: json.activity.id })
    assert.deepEqual(again.json.activity, json.activity)
  }
  const both = { signWith: address, privateKeyId: signWith, ...what }
  const { json } = await service.submit(root, 'ACTIVITY_TYPE_SIGN_TRANSACTION', both)
  assert.match(json.message, /`privateKeyId` is not a field of this request/)
  const neither = await service.submit(root, 'ACTIVITY_TYPE_SIGN_TRANSACTION', { ...what, signWith: '' })
  assert.match(neither.json.message, /missing field `privateKeyId`/)
})

test('a transaction is judged by what it says, however it is sent', async () => {
  const address = await anAddress()
  const ada = await service.user('Ada')
  await policy('EFFECT_ALLOW', "activity.action == 'SIGN'")
  await policy('EFFECT_DENY', `eth.tx.to == '${BAD.toLowerCase()}'`)
  const transfer = (to: `0x${string}`) =>
    serializeTransaction({
      type: 'eip1559',
      chainId: 1,
      nonce: 0,
      gas: 21_000n,
      maxFeePerGas: 2n,
      maxPriorityFeePerGas: 1n,
      to,
      value: 5n,
    })
  const signed = async (to: `0x${string}`) => await sign(ada, address, transfer(to))
  assert.equal(parseTransaction(await granted(signed(GOOD))).value, 5n)
  await refused(signed(BAD))
  const raw = (payloads: readonly string[], hashFunction = 'HASH_FUNCTION_KECCAK256') =>
    service.submit(ada, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', {
      signWith: address,
      payloads,
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction,
    })
  assert.equal((await raw([transfer(GOOD), '0xabcd'])).status, 200)
  await refused(raw([transfer(BAD)]))
  await refused(raw([transfer(GOOD), '0xabcd', transfer(BAD)]))
})

test('a transaction that every chain takes is denied by each rule that names a chain, and allowed by none', async () => {
  const service = await aService()
  try {
    const { root } = service
    const { addresses } = await service.done(root, 'ACTIVITY_TYPE_CREATE_WALLET', {
      walletName: 'Any chain',
      accounts: [
        {
          curve: 'CURVE_SECP256K1',
          pathFormat: 'PATH_FORMAT_BIP32',
          path: "m/44'/60'/0'/0/0",
          addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
        },
      ],
    })
    const unsignedTransaction = serializeTransaction({ type: 'legacy', gas: 21_000n, gasPrice: 1n, to: GOOD })
    const ada = await service.user('Ada')
    const under = async (policies: readonly (readonly [string, string])[]) => {
      const policyIds: string[] = []
      for (const [at, [effect, condition]] of policies.entries())
        policyIds.push(
          (
            await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
              policyName: `Policy ${at}`,
              effect,
              condition,
              notes: '',
            })
          ).policyId,
        )
      service.world.advance(1)
      const { status } = await service.submit(ada, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
        signWith: addresses[0],
        type: 'TRANSACTION_TYPE_ETHEREUM',
        unsignedTransaction,
      })
      for (const policyId of policyIds) await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
      return status
    }
    const all = ['EFFECT_ALLOW', "activity.action == 'SIGN'"] as const
    assert.equal(await under([all]), 200)
    for (const condition of [
      'eth.tx.chain_id == 1',
      'eth.tx.chain_id != 1',
      'eth.tx.chain_id > 1',
      'eth.tx.chain_id in [1, 10]',
      '!(eth.tx.chain_id in [1, 10])',
    ]) {
      assert.equal(await under([all, ['EFFECT_DENY', condition]]), 403, `denied by ${condition}`)
      assert.equal(await under([['EFFECT_ALLOW', condition]]), 403, `not allowed by ${condition}`)
    }
  } finally {
    await service.close()
  }
})

test('what cannot be read is refused, and leaves no record', async () => {
  const address = await anAddress()
  const before = await activities()
  for (const [type, unsignedTransaction] of [
    ['TRANSACTION_TYPE_ETHEREUM', '0x02'],
    ['TRANSACTION_TYPE_ETHEREUM', 'no'],
    ['TRANSACTION_TYPE_ETHEREUM', '05c0'],
    ['TRANSACTION_TYPE_SOLANA', '00'],
    ['TRANSACTION_TYPE_TRON', '0a'],
    ['TRANSACTION_TYPE_BITCOIN', '70736274ff'],
    ['TRANSACTION_TYPE_TEMPO', '76c0'],
  ]) {
    const answer = await service.submit(root, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
      signWith: address,
      type,
      unsignedTransaction,
    })
    assert.deepEqual([answer.status, answer.json.code], [400, 3], `${type} ${JSON.stringify(answer.json)}`)
  }
  assert.equal(await activities(), before)
})

test('clients tell by its code why a transaction that was read is not signed', async () => {
  const signWith = await anAddress()
  const tooDear = serializeTransaction({
    type: 'legacy',
    chainId: 1,
    gas: 21_000n,
    gasPrice: 2n ** 255n,
    to: GOOD,
  })
  for (const [turnkeyErrorCode, unsignedTransaction] of [
    ['UNSUPPORTED_TRANSACTION_TYPE', '05c0'],
    ['INVALID_TRANSACTION', tooDear],
  ]) {
    const { status, json } = await service.submit(root, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
      signWith,
      type: 'TRANSACTION_TYPE_ETHEREUM',
      unsignedTransaction,
    })
    assert.deepEqual([status, json.turnkeyErrorCode], [400, turnkeyErrorCode], JSON.stringify(json))
    const detail = { '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail', turnkeyErrorCode }
    assert.deepEqual(json.details, [detail])
  }
})

const GOOD = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const BAD = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

async function imported(known: Record<string, string>): Promise<void> {
  const { userId } = root
  const { importBundle } = await service.done(root, 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', { userId })
  const encryptedBundle = await encryptPrivateKeyToBundle({
    privateKey: present(known['privateKey'], 'a key'),
    keyFormat: 'HEXADECIMAL',
    importBundle,
    userId,
    organizationId: service.organizationId,
    dangerouslyOverrideSignerPublicKey: JSON.parse(importBundle).enclaveQuorumPublic,
  })
  await service.done(root, 'ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', {
    userId,
    privateKeyName: present(known['address'], 'an address'),
    encryptedBundle,
    curve: known['curve'],
    addressFormats: [known['format']],
  })
}

let names = 0
async function anAddress(): Promise<string> {
  const { privateKeys } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      {
        privateKeyName: `Key ${names++}`,
        curve: 'CURVE_SECP256K1',
        privateKeyTags: [],
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      },
    ],
  })
  return privateKeys[0].addresses[0].address
}

async function policy(effect: string, condition: string): Promise<void> {
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: `Policy ${names++}`,
    effect,
    condition,
    notes: '',
  })
}

type Answer = Awaited<ReturnType<TestService['submit']>>

async function sign(by: Member, signWith: string, unsignedTransaction: string): Promise<Answer> {
  return await service.submit(by, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
    signWith,
    type: 'TRANSACTION_TYPE_ETHEREUM',
    unsignedTransaction,
  })
}

async function granted(answer: Promise<Answer>): Promise<`0x${string}`> {
  const { status, json } = await answer
  assert.equal(status, 200, JSON.stringify(json))
  return `0x${json.activity.result.signTransactionResult.signedTransaction}`
}

async function refused(answer: Promise<Answer>): Promise<void> {
  const { status, json } = await answer
  assert.deepEqual([status, json.code], [403, 7], JSON.stringify(json))
}

async function activities(): Promise<number> {
  const { json } = await service.query(root, 'list_activities', {})
  return json.activities.length
}
