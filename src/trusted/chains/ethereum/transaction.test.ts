import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeAddress, getAddress } from 'ethers'
import { vectors } from '../../../../test/support/vectors.ts'
import { caseless } from '../../base/caseless.ts'
import { toHex } from '../../base/bytes.ts'
import { Failure } from '../../base/failure.ts'
import type { RlpItem } from './rlp.ts'
import {
  A,
  authorization,
  bytesOf,
  fieldsOf,
  int,
  raw,
  SECRET,
  seen,
  signer,
  signWith,
  tx,
} from './testing/transactions.ts'
import { readEthereumTransaction } from './transaction.ts'

test('what ethers made is read as it was meant, and signed to the same bytes', () => {
  const cases = vectors<readonly EthersCase[]>('ethers/transactions.json')
  let signed = 0
  let refused = 0
  for (const each of cases) {
    const secret = bytesOf(each.privateKey)
    const key = signer(secret)
    const address = caseless(computeAddress(each.privateKey))
    for (const form of ['Legacy', 'Eip155', 'Berlin', 'London', 'Cancun'] as const) {
      // Where a transaction has no chain id or recipient, ethers makes none in the forms that need them.
      if (each[`unsigned${form}`] === '') continue
      if (form === 'Cancun' && isEmpty(each.transaction['blobVersionedHashes'])) {
        refuses(each.unsignedCancun, 'blob_versioned_hashes is empty') // EIP-4844 has it invalid
        refused++
        continue
      }
      signed++
      const read = readEthereumTransaction(each[`unsigned${form}`], key, [])
      const expected = { from: address, ...expectedFields(each.transaction, form) }

      assert.deepEqual(seen(read), expected, `${each.name} ${form}`)
      assert.equal(`0x${signWith(read, secret)}`, each[`signed${form}`], `${each.name} ${form}`)
    }
  }
  assert.equal(cases.length * 5, 16_000)
  assert.deepEqual({ signed, refused }, { signed: 12_140, refused: 788 })
})

test('known transactions are signed to the known bytes', () => {
  const { signTransaction } = vectors<{ signTransaction: readonly Kat[] }>('facts/crypto-kats.json')
  const kats = signTransaction.filter(({ type }) => type === 'TRANSACTION_TYPE_ETHEREUM')
  for (const { signWith: address, unsignedTransaction, digest, signedTransaction } of kats) {
    for (const form of [unsignedTransaction, `0x${unsignedTransaction}`, unsignedTransaction.toUpperCase()]) {
      const read = readEthereumTransaction(form, signer(SECRET), [])

      assert.deepEqual(seen(read)['from'], caseless(address))
      assert.equal(toHex(read.toSign[0]?.bytes ?? A), digest)
      assert.equal(signWith(read, SECRET), signedTransaction)
    }
  }
  assert.equal(kats.length, 6)
})

test('a policy sees of each type the fields that it has, and no other', () => {
  const common = {
    from: caseless('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'),
    to: caseless('0x5FbDB2315678afecb367f032d93F642f64180aa3'),
    data: '0xa9059cbb',
    value: 1000n,
    gas: 21_000n,
    gas_price: 2000n,
    chain_id: 1n,
    nonce: 4n,
  }
  const fees = { max_fee_per_gas: 2000n, max_priority_fee_per_gas: 100n }

  assert.deepEqual(seen(read(tx(0))), { type: 'LEGACY', ...common })
  assert.deepEqual(seen(read(tx(1))), { type: 'TYPE_1', ...common })
  assert.deepEqual(seen(read(tx(2))), { type: 'TYPE_2', ...common, ...fees })
  assert.deepEqual(seen(read(tx(3))), { type: 'TYPE_3', ...common, ...fees, max_fee_per_blob_gas: 3000n })
  assert.deepEqual(seen(read(tx(4))), { type: 'TYPE_4', ...common, ...fees })
})

test('the creation of a contract is to the empty text, and of a transaction for every chain no chain can be asked', () => {
  const { to, chain_id, data } = seen(read(raw(0, fieldsOf(0, { to: NONE, data: NONE }).slice(0, 6))))

  assert.deepEqual({ to, chain_id, data }, { to: caseless(''), chain_id: {}, data: '0x' })
  assert.equal(seen(read(tx(2, { chainId: NONE })))['chain_id'], 0n)
})

test('a call is shown as the interface of its contract has it, and only of its contract', () => {
  const text = JSON.stringify([
    { type: 'function', name: 'burn', inputs: [{ name: 'amount', type: 'uint256' }] },
  ])
  const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  const data = bytesOf(`42966c68${'2a'.padStart(64, '0')}`)
  const fields = (about: {
    address?: string
    kind?: 'ethereum' | 'solana'
    data?: Uint8Array
    to?: Uint8Array
  }) => {
    const known = { kind: about.kind ?? 'ethereum', address: about.address ?? address, text }
    const hex = tx(2, { data: about.data ?? data, to: about.to ?? A })
    const { function_name, function_signature, contract_call_args } = seen(
      readEthereumTransaction(hex, signer(SECRET), [known]),
    )
    return { function_name, function_signature, contract_call_args }
  }
  const none = { function_name: undefined, function_signature: undefined, contract_call_args: undefined }
  const burn = {
    function_name: 'burn',
    function_signature: '0x42966c68',
    contract_call_args: { amount: 42n },
  }

  assert.deepEqual(fields({}), burn)
  assert.deepEqual(fields({ address: address.toLowerCase() }), burn)
  for (const unknown of ['a9059cbb', 'a9059cbb00', '42966c', ''])
    assert.deepEqual(fields({ data: bytesOf(unknown) }), {
      function_name: unknown.length < 8 ? '' : {},
      function_signature: `0x${unknown.slice(0, 8)}`,
      contract_call_args: {},
    })
  assert.deepEqual(fields({ address: `0x${'11'.repeat(20)}` }), none)
  assert.deepEqual(fields({ kind: 'solana' }), none)
  assert.deepEqual(fields({ to: NONE }), none)
})

test('a field of another shape or size is refused, with its name', () => {
  const refusals: readonly (readonly [0 | 1 | 2 | 3 | 4, { [field: string]: RlpItem }, string])[] = [
    [0, { nonce: bytesOf('0004') }, 'nonce has leading zeros'],
    [0, { nonce: bytesOf('00') }, 'nonce has leading zeros'],
    [0, { nonce: int(2n ** 64n - 1n) }, 'nonce is above 18446744073709551614'],
    [2, { nonce: [] }, 'nonce is a list'],
    [0, { gas: int(2n ** 64n) }, 'gas is above'],
    [0, { gasPrice: int(2n ** 256n) }, 'the price of gas is above'],
    [2, { value: int(2n ** 256n) }, 'value is above'],
    [2, { value: new Uint8Array(100_000).fill(1) }, 'value is above'],
    [2, { maxPriorityFee: int(2n ** 256n) }, 'max_priority_fee_per_gas is above'],
    [2, { chainId: int(2n ** 64n) }, 'chain_id is above'],
    [3, { maxFeePerBlobGas: int(2n ** 256n) }, 'max_fee_per_blob_gas is above'],
    [2, { to: A.subarray(1) }, 'to has 19 bytes, not 20 or none'],
    [2, { to: new Uint8Array(32) }, 'to has 32 bytes, not 20 or none'],
    [2, { to: [A] }, 'to is a list'],
    [2, { data: [] }, 'data is a list'],
    [1, { accessList: NONE }, 'access_list is not a list'],
    [1, { accessList: [A] }, 'access_list[0] is not a list'],
    [1, { accessList: [[A]] }, 'access_list[0] has 1 fields, not 2'],
    [1, { accessList: [[A, [], []]] }, 'access_list[0] has 3 fields, not 2'],
    [1, { accessList: [[A.subarray(1), []]] }, 'access_list[0].address has 19 bytes, not 20'],
    [1, { accessList: [[NONE, []]] }, 'access_list[0].address has 0 bytes, not 20'],
    [1, { accessList: [[A, NONE]] }, 'access_list[0].storage_keys is not a list'],
    [
      2,
      {
        accessList: [
          [A, []],
          [A, [A]],
        ],
      },
      'a storage key of access_list[1] has 20 bytes, not 32',
    ],
    [3, { blobHashes: NONE }, 'blob_versioned_hashes is not a list'],
    [3, { blobHashes: [A] }, 'blob_versioned_hashes[0] has 20 bytes, not 32'],
    [4, { authorizations: [authorization.slice(0, 3)] }, 'authorization_list[0] has 3 fields, not 6'],
    [4, { authorizations: [authorization, A] }, 'authorization_list[1] is not a list'],
    [4, { authorizations: [tuple(0, int(2n ** 256n))] }, 'authorization_list[0].chain_id is above'],
    [4, { authorizations: [tuple(1, NONE)] }, 'authorization_list[0].address has 0 bytes'],
    [4, { authorizations: [tuple(2, int(2n ** 64n - 1n))] }, 'authorization_list[0].nonce is above'],
    [4, { authorizations: [tuple(3, int(2))] }, 'authorization_list[0].y_parity is above 1'],
    [4, { authorizations: [tuple(4, int(ORDER))] }, 'authorization_list[0].r is above'],
    [4, { authorizations: [tuple(5, int(ORDER / 2n + 1n))] }, 'authorization_list[0].s is above'],
  ]
  for (const [type, changes, what] of refusals) refuses(tx(type, changes), what)
})

test('what can never be valid on a chain is refused', () => {
  refuses(
    tx(2, { maxPriorityFee: int(2001) }),
    'INVALID_TRANSACTION: max_priority_fee_per_gas is above max_fee',
  )
  refuses(tx(0, { gasPrice: int(2n ** 255n) }), 'INVALID_TRANSACTION: the gas costs more than 2^256 - 1')
  refuses(tx(2, { maxFee: int(2n ** 255n) }), 'INVALID_TRANSACTION: the gas costs more than 2^256 - 1')
  refuses(tx(3, { to: NONE }), 'INVALID_TRANSACTION: a transaction of TYPE_3 must have a recipient')
  refuses(tx(4, { to: NONE }), 'INVALID_TRANSACTION: a transaction of TYPE_4 must have a recipient')
  refuses(tx(3, { blobHashes: [] }), 'INVALID_TRANSACTION: blob_versioned_hashes is empty')
  refuses(
    tx(3, { blobHashes: [new Uint8Array(32)] }),
    'INVALID_TRANSACTION: blob_versioned_hashes[0] is not of',
  )
  refuses(tx(4, { authorizations: [] }), 'INVALID_TRANSACTION: authorization_list is empty')
  refuses(
    tx(4, { authorizations: [tuple(4, NONE)] }),
    'INVALID_TRANSACTION: authorization_list[0] has no sign',
  )
  assert.doesNotThrow(() => read(tx(2, { maxPriorityFee: int(2000) })))
})

test('a transaction that is signed already, has other fields or is not one is refused', () => {
  const signed = [int(1), int(5), int(6)]
  for (const type of [1, 2, 3, 4] as const) {
    refuses(raw(type, [...fieldsOf(type), ...signed]), 'it carries a signature')
    refuses(raw(type, [...fieldsOf(type), NONE, NONE, NONE]), 'it carries a signature')
    refuses(raw(type, fieldsOf(type).slice(1)), /fields, not/)
    refuses(raw(type, [...fieldsOf(type), NONE]), /fields, not/)
    refuses(`${tx(type)}00`, 'not canonical RLP')
    refuses(raw(0, fieldsOf(type)), 'failed to parse transaction')
  }
  refuses(tx(0, { chainId: int(37), r: int(5), s: int(6) }), 'it carries a signature')
  refuses(tx(0, { r: NONE, s: int(6) }), 'it carries a signature')
  refuses(tx(0, { chainId: NONE }), 'chain_id is 0')
  for (const count of [0, 1, 5, 7, 8])
    refuses(raw(0, fieldsOf(0).slice(0, count)), `has ${count} fields, not 6`)
  refuses(raw(3, [fieldsOf(3), [], [], []]), 'UNSUPPORTED_TRANSACTION_TYPE: type 3 with blobs around it')
  for (const type of [0, 5, 0x7f]) {
    refuses(toHex(Uint8Array.of(type, 0xc0)), `UNSUPPORTED_TRANSACTION_TYPE: type ${type}`)
  }
  refuses('76c0', 'UNSUPPORTED_TRANSACTION_TYPE: type 118, which is sent as TRANSACTION_TYPE_TEMPO')
  refuses('80', 'it starts neither with a type nor with a list')
  refuses('02', 'not canonical RLP')
  refuses('0280', 'the transaction is not a list')
  refuses('', 'no bytes')
  refuses('0x', 'no bytes')
  refuses('0x0', 'not an even number of hexadecimal digits')
  refuses('0x0x02', 'not an even number of hexadecimal digits')
  refuses(` ${tx(2)}`, 'not an even number of hexadecimal digits')
  refuses('c0'.repeat(131_073), 'more than 131072 bytes')
})

test('a key on another curve signs no transaction', () => {
  assert.throws(
    () => readEthereumTransaction(tx(2), { curve: 'CURVE_ED25519', publicKey: '00'.repeat(32) }, []),
    /^Failure: invalid curve: a transaction of Ethereum needs a key on CURVE_SECP256K1, this one is on CURVE_ED25519$/,
  )
})

const NONE = new Uint8Array()
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n // SEC 2 v2, 2.4.1

type Form = 'Legacy' | 'Eip155' | 'Berlin' | 'London' | 'Cancun'
type Json = string | number | readonly Json[] | { readonly [name: string]: Json } | undefined
type EthersCase = {
  readonly name: string
  readonly privateKey: string
  readonly transaction: { readonly [field: string]: Json }
} & { readonly [key in `${'unsigned' | 'signed'}${Form}`]: string }

type Kat = {
  readonly type: string
  readonly signWith: string
  readonly unsignedTransaction: string
  readonly digest: string
  readonly signedTransaction: string
}

function expectedFields(transaction: EthersCase['transaction'], form: Form): object {
  const number = (name: string) => BigInt(text(name) || 0)
  const text = (name: string) => String(transaction[name] ?? '')
  const hasFees = form === 'London' || form === 'Cancun'
  return {
    type: { Legacy: 'LEGACY', Eip155: 'LEGACY', Berlin: 'TYPE_1', London: 'TYPE_2', Cancun: 'TYPE_3' }[form],
    to: caseless(text('to') === '' ? '' : getAddress(text('to'))),
    data: transaction['data'] ?? '0x',
    value: number('value'),
    gas: number('gasLimit'),
    gas_price: number(hasFees ? 'maxFeePerGas' : 'gasPrice'),
    chain_id: form === 'Legacy' ? {} : number('chainId'),
    nonce: number('nonce'),
    ...(hasFees
      ? { max_fee_per_gas: number('maxFeePerGas'), max_priority_fee_per_gas: number('maxPriorityFeePerGas') }
      : {}),
    ...(form === 'Cancun' ? { max_fee_per_blob_gas: number('maxFeePerBlobGas') } : {}),
  }
}

function isEmpty(value: Json): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0)
}

/** The authorization with one of its six items exchanged. */
function tuple(position: number, item: RlpItem): readonly RlpItem[] {
  return authorization.with(position, item)
}

function read(hex: string) {
  return readEthereumTransaction(hex, signer(SECRET), [])
}

function refuses(hex: string, what: string | RegExp): void {
  assert.throws(
    () => read(hex),
    (thrown) => {
      assert.ok(thrown instanceof Failure, String(thrown))
      assert.equal(thrown.code, 3)
      assert.match(thrown.message, /^failed to parse transaction: /)
      if (typeof what === 'string') assert.ok(thrown.message.includes(what), `${thrown.message} for ${what}`)
      else assert.match(thrown.message, what)
      return true
    },
  )
}
