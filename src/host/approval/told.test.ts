import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serializeTransaction, type TransactionSerializable } from 'viem'
import { utf8 } from '../../trusted/base/bytes.ts'
import { chains } from '../../trusted/chains/list.ts'
import { wordsOf } from './words.ts'

// What the console folds away is what the sentence has said already: a transfer of the coin and nothing else.

const SHOP = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const FEES = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
const PAYMENT = { chainId: 1, nonce: 0, gas: 21_000n, value: 1n, to: SHOP } as const
const STORAGE = [{ address: SHOP, storageKeys: [`0x${'01'.repeat(32)}`] }] as const
const HASH = `0x01${'02'.repeat(31)}` as const

async function isTold(
  transaction: string,
  { type = 'TRANSACTION_TYPE_ETHEREUM', more = {}, among = {} } = {},
) {
  const request = {
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    timestampMs: '1',
    organizationId: '0198c5a0-7d3c-7000-8000-000000000001',
    parameters: {
      signWith: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      unsignedTransaction: transaction,
      type,
      ...among,
    },
    ...more,
  }
  const words = await wordsOf(utf8(JSON.stringify(request)))
  assert.deepEqual(words.refusals, [])
  return words.isTold
}

/** Unsigned, in hexadecimal without `0x`. */
function unsigned(transaction: TransactionSerializable): string {
  return serializeTransaction(transaction).slice(2)
}

const transfer = `0xa9059cbb${SHOP.slice(2).toLowerCase().padStart(64, '0')}${'1'.padStart(64, '0')}` as const

const PLAIN: readonly (readonly [name: string, transaction: TransactionSerializable])[] = [
  ['type 2', { ...PAYMENT, ...FEES, type: 'eip1559' }],
  ['type 1 with an empty access list', { ...PAYMENT, gasPrice: 1n, type: 'eip2930', accessList: [] }],
  ['the first type', { ...PAYMENT, gasPrice: 1n, type: 'legacy' }],
]

for (const [name, transaction] of PLAIN)
  test(`a plain payment is told by its sentence: ${name}`, async () => {
    assert.equal(await isTold(unsigned(transaction)), true)
  })

const OTHERS: readonly (readonly [name: string, transaction: TransactionSerializable])[] = [
  ['a call that can be read', { ...PAYMENT, ...FEES, type: 'eip1559', value: 0n, data: transfer }],
  ['a call that cannot', { ...PAYMENT, ...FEES, type: 'eip1559', data: '0x00' }],
  ['a new contract', { ...PAYMENT, ...FEES, type: 'eip1559', to: null, data: '0x6000' }],
  ['a new contract without code', { ...PAYMENT, ...FEES, type: 'eip1559', to: null }],
  ['no chain', { nonce: 0, gas: 21_000n, value: 1n, to: SHOP, gasPrice: 1n, type: 'legacy' }],
  ['places of storage', { ...PAYMENT, ...FEES, type: 'eip1559', accessList: STORAGE }],
  [
    'an authorization',
    {
      ...PAYMENT,
      ...FEES,
      type: 'eip7702',
      authorizationList: [{ address: SHOP, chainId: 1, nonce: 1, r: HASH, s: HASH, yParity: 0 }],
    },
  ],
  [
    'blobs',
    {
      ...PAYMENT,
      ...FEES,
      type: 'eip4844',
      maxFeePerBlobGas: 1n,
      blobVersionedHashes: [HASH],
      sidecars: false,
    },
  ],
]

for (const [name, transaction] of OTHERS)
  test(`what the sentence leaves out is shown: ${name}`, async () => {
    assert.equal(await isTold(unsigned(transaction)), false)
  })

test('what the sentence leaves out is shown: a danger, as that of a fee that is worth more than the payment', async () => {
  const dear = { ...PAYMENT, ...FEES, maxFeePerGas: 10n ** 15n, type: 'eip1559' } as const
  assert.equal(await isTold(unsigned(dear)), false)
})

test('what the sentence leaves out is shown: a field beside the parameters', async () => {
  const [[, payment] = ['', PAYMENT]] = PLAIN
  assert.equal(await isTold(unsigned(payment), { more: { generateAppProofs: true } }), false)
})

test('what the sentence leaves out is shown: the flag for proofs among the parameters', async () => {
  const [[, payment] = ['', PAYMENT]] = PLAIN
  for (const among of [{ generateAppProofs: true }, { generate_app_proofs: true }])
    assert.equal(await isTold(unsigned(payment), { among }), false)
})

for (const { name, transaction, example } of chains)
  if (transaction !== undefined && name !== 'Ethereum')
    test(`what the sentence leaves out is shown: a transaction of ${name}`, async () => {
      assert.equal(await isTold(example.unsigned, { type: transaction.type }), false)
    })
