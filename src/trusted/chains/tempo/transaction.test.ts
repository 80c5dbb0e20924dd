import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { vectors } from '../../../../test/support/vectors.ts'
import { toHex } from '../../base/bytes.ts'
import { caseless } from '../../base/caseless.ts'
import { Failure } from '../../base/failure.ts'
import { readRlp } from '../ethereum/read-rlp.ts'
import type { RlpItem } from '../ethereum/rlp.ts'
import { anyItem } from '../ethereum/testing/arbitrary.ts'
import {
  A,
  authorization,
  bytesOf,
  int,
  raw,
  SECRET,
  seen,
  signer,
  signWith,
} from '../ethereum/testing/transactions.ts'
import { readTempoTransaction } from './transaction.ts'

test('the known transaction is signed to the known bytes', () => {
  const { signTransaction } = vectors<{ signTransaction: readonly Record<string, string>[] }>(
    'facts/crypto-kats.json',
  )
  const kat = signTransaction.find(({ type }) => type === 'TRANSACTION_TYPE_TEMPO') ?? {}
  for (const form of [kat['unsignedTransaction'], `0x${kat['unsignedTransaction']}`]) {
    const read = readTempoTransaction(form ?? '', signer(SECRET))

    assert.equal(toHex(read.toSign[0]?.bytes ?? A), kat['digest'])
    assert.equal(signWith(read, SECRET), kat['signedTransaction'])
    assert.deepEqual(seen(read)['from'], caseless(kat['signWith'] ?? ''))
  }
})

test('a policy sees all fields of a transaction and of each call', () => {
  const transfer = bytesOf(`A9059CBB${'00'.repeat(64)}`)
  const fields = seen(
    read({
      calls: [
        [A, NONE, transfer],
        [A, NONE, NONE],
      ],
      validBefore: int(200),
      validAfter: int(100),
      feeToken: A,
    }),
  )

  assert.deepEqual(fields, {
    chain_id: 42_431n,
    from: caseless('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'),
    nonce: 4n,
    gas_limit: 60_000n,
    max_fee_per_gas: 2000n,
    max_priority_fee_per_gas: 1000n,
    fee_token: caseless(ADDRESS),
    valid_before: 200n,
    valid_after: 100n,
    calls: [
      { to: caseless(ADDRESS), input: caseless(`0x${toHex(transfer)}`), function_signature: '0xa9059cbb' },
      { to: caseless(ADDRESS), input: caseless('0x'), function_signature: '0x' },
    ],
  })
})

test('times without a bound are 0, and no fee token and no recipient are the empty text', () => {
  const { valid_before, valid_after, fee_token, calls } = seen(read({ calls: [[NONE, NONE, int(1)]] }))

  assert.deepEqual(
    { valid_before, valid_after, fee_token },
    { valid_before: 0n, valid_after: 0n, fee_token: caseless('') },
  )
  assert.deepEqual(calls, [{ to: caseless(''), input: caseless('0x01'), function_signature: '0x01' }])
})

test('what policies would not see is refused', () => {
  refuses({ calls: [[A, int(1), NONE]] }, 'calls[0].value cannot be shown to policies')
  refuses({ accessList: [[A, []]] }, 'access_list cannot be shown to policies')
  refuses({ nonceKey: int(1) }, 'nonce_key cannot be shown to policies')
  refuses({ feePayer: Uint8Array.of(0) }, 'a fee payer cannot be shown to policies')
  refuses({ feePayer: [int(0), int(1), int(2)] }, 'a fee payer cannot be shown to policies')
  refuses({ authorizations: [authorization] }, 'authorization_list cannot be shown to policies')
  const more = 'it carries a signature or an access key'
  refusesHex(raw(0x76, [...fieldsOf({}), bytesOf('aa'.repeat(65))]), more)
  refusesHex(raw(0x76, [...fieldsOf({}), [int(1)]]), more)
  refusesHex(raw(0x76, [...fieldsOf({}), [int(1)], NONE]), more)
})

test('what is no transaction, or can never be valid, is refused', () => {
  refuses({ calls: [] }, 'calls is empty')
  refuses({ calls: NONE }, 'calls is not a list')
  refuses({ calls: [[A, NONE]] }, 'calls[0] has 2 fields, not 3')
  refuses({ calls: [[A.subarray(1), NONE, NONE]] }, 'calls[0].to has 19 bytes')
  refuses(
    {
      calls: [
        [A, NONE, NONE],
        [NONE, NONE, NONE],
      ],
    },
    'calls[1].to has 0 bytes, not 20',
  )
  refuses({ chainId: NONE }, 'chain_id is 0')
  refuses({ maxPriorityFee: int(2001) }, 'max_priority_fee_per_gas is above max_fee_per_gas')
  refuses({ maxFee: int(2n ** 128n) }, 'max_fee_per_gas is above')
  refuses({ nonce: int(2n ** 53n) }, 'nonce is above')
  refuses({ gas: bytesOf('0001') }, 'gas_limit has leading zeros')
  refuses({ validBefore: int(100), validAfter: int(100) }, 'valid_before is not after valid_after')
  refuses({ validAfter: bytesOf('00') }, 'valid_after has leading zeros')
  refuses({ feeToken: int(1) }, 'fee_token has 1 bytes')
  refusesHex(raw(0x76, fieldsOf({}).slice(1)), 'the transaction has 12 fields, not 13')
  refusesHex(raw(0x78, fieldsOf({})), 'UNSUPPORTED_TRANSACTION_TYPE: a transaction of Tempo starts with 0x76')
  refusesHex(raw(2, fieldsOf({})), 'UNSUPPORTED_TRANSACTION_TYPE')
  refusesHex(`${raw(0x76, fieldsOf({}))}00`, 'not canonical RLP')
  refusesHex('76', 'not canonical RLP')
  assert.throws(
    () => readTempoTransaction(raw(0x76, fieldsOf({})), { curve: 'CURVE_P256', publicKey: '' }),
    /^Failure: invalid curve: a transaction of Tempo needs a key on CURVE_SECP256K1, this one is on CURVE_P256$/,
  )
})

test('with any one field exchanged it is refused cleanly, or read and signed with that field in it', () => {
  fc.assert(
    fc.property(fc.nat({ max: 12 }), anyItem, (position, item) => {
      const fields = fieldsOf({}).with(position, item)
      try {
        const signed = signWith(readTempoTransaction(raw(0x76, fields), signer(SECRET)), SECRET)
        const [signature, ...rest] = listOf(readRlp(bytesOf(signed.slice(2)))).toReversed()

        assert.ok(signature instanceof Uint8Array && signature.length === 65)
        assert.equal(raw(0x76, rest.toReversed()), raw(0x76, fields))
      } catch (thrown) {
        assert.ok(thrown instanceof Failure, String(thrown))
      }
    }),
    { numRuns: 1000 },
  )
})

const NONE = new Uint8Array()
const ADDRESS = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

const names = [
  'chainId',
  'maxPriorityFee',
  'maxFee',
  'gas',
  'calls',
  'accessList',
  'nonceKey',
  'nonce',
  'validBefore',
  'validAfter',
  'feeToken',
  'feePayer',
  'authorizations',
]

type Changes = { readonly [field: string]: RlpItem }

function fieldsOf(changes: Changes): readonly RlpItem[] {
  const ordinary: Changes = {
    chainId: int(42_431),
    maxPriorityFee: int(1000),
    maxFee: int(2000),
    gas: int(60_000),
    calls: [[A, NONE, NONE]],
    accessList: [],
    nonce: int(4),
    authorizations: [],
  }
  return names.map((name) => changes[name] ?? ordinary[name] ?? NONE)
}

function read(changes: Changes) {
  return readTempoTransaction(raw(0x76, fieldsOf(changes)), signer(SECRET))
}

function refuses(changes: Changes, what: string): void {
  refusesHex(raw(0x76, fieldsOf(changes)), what)
}

function refusesHex(hex: string, what: string): void {
  assert.throws(
    () => readTempoTransaction(hex, signer(SECRET)),
    (thrown) => {
      assert.ok(thrown instanceof Failure, String(thrown))
      assert.match(thrown.message, /^failed to parse transaction: /)
      assert.ok(thrown.message.includes(what), `${thrown.message} for ${what}`)
      return true
    },
  )
}

function listOf(item: RlpItem): readonly RlpItem[] {
  assert.ok(!(item instanceof Uint8Array))
  return item
}
