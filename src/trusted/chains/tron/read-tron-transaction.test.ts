import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { fromHex, toHex } from '../../base/bytes.ts'
import { countedReads } from '../../../../test/support/counted-reads.ts'
import { Failure } from '../../base/failure.ts'
import type { ResourceSignature } from '../../crypto/signature.ts'
import { vectorTest } from '../../crypto/testing/vectors.ts'
import { tronAddress } from '../tron-address.ts'
import {
  any,
  base58check,
  bin,
  bytes,
  concat,
  contracts,
  int,
  owner,
  present,
  raw,
  text,
  to,
  transferContract,
  transferValue,
} from './testing/raw-data.ts'
import { readTronTransaction, seeTronTransaction } from './read-tron-transaction.ts'

const secret = new Uint8Array(32).fill(7)
const publicKey = secp256k1.getPublicKey(secret, true)
const signer = { curve: 'CURVE_SECP256K1', publicKey: toHex(publicKey) } as const

vectorTest<{ readonly signTransaction: readonly Record<string, string>[] }>(
  'the known transaction is read, digested and put together as the facts have it',
  'facts/crypto-kats.json',
  (kats) => {
    const kat = kats.signTransaction.find(({ type }) => type === 'TRANSACTION_TYPE_TRON')
    assert.ok(kat)
    const read = readTronTransaction(String(kat['unsignedTransaction']), signer)
    const [digest] = read.toSign
    assert.deepEqual(
      read.toSign.map(({ bytes, scheme }) => [toHex(bytes), scheme]),
      [[kat['txId'], 'curve']],
    )
    assert.ok(digest)
    const [r, s] = [String(kat['signature']).slice(0, 64), String(kat['signature']).slice(64)]
    assert.equal(read.signed([{ r, s, v: '01' }]), kat['signedTransaction'])
    const recovered = new secp256k1.Signature(BigInt(`0x${r}`), BigInt(`0x${s}`), 1).recoverPublicKey(
      digest.bytes,
    )
    assert.equal(tronAddress(recovered.toBytes(true)), kat['signWith'])
    assert.deepEqual(seenContract(read.seen), {
      owner_address: kat['signWith'],
      to_address: base58check(`41${'11'.repeat(20)}`),
      amount: 1_000_000n,
      type: 'TransferContract',
      permission_id: 0n,
    })
  },
)

test('each of the seven contracts is seen with all of its fields', () => {
  const owner = base58check(`41${'aa'.repeat(20)}`)
  for (const { name, number, value, seen } of contracts()) {
    const contract = concat(int(1, number), any(name, value), int(5, 3))
    assert.deepEqual(
      seenContract(read(raw(contract)).seen),
      { type: name, permission_id: 3n, owner_address: owner, ...seen },
      name,
    )
  }
})

test('what stands beside the contract is seen, and zeros where there is nothing', () => {
  const transfer = transferContract()
  const all = concat(
    bin(1, 'abcd'),
    bin(4, '0123456789abcdef'),
    int(8, 9),
    bin(10, 'c0ffee'),
    bin(11, transfer),
    int(14, 10),
    int(18, 11),
  )
  assert.deepEqual(without(read(all).seen), {
    ref_block_bytes: 'abcd',
    ref_block_hash: '0123456789abcdef',
    expiration: 9n,
    data: 'c0ffee',
    timestamp: 10n,
    fee_limit: 11n,
  })
  assert.deepEqual(without(read(bin(11, transfer)).seen), {
    ref_block_bytes: '',
    ref_block_hash: '',
    expiration: 0n,
    data: '',
    timestamp: 0n,
    fee_limit: 0n,
  })
})

test('what two readers could read differently is refused', () => {
  const transfer = transferContract()
  const refused: readonly (readonly [string, Uint8Array, RegExp])[] = [
    ['no bytes', new Uint8Array(), /0 contracts instead of one/],
    ['two contracts', concat(raw(transfer), bin(11, transfer)), /2 contracts instead of one/],
    ['fields out of order', concat(bin(11, transfer), bin(1, 'abcd')), /raw_data is not in its canonical/],
    ['a field twice', concat(bin(1, 'abcd'), raw(transfer)), /raw_data is not in its canonical/],
    ['a zero that is written', concat(raw(transfer), int(14, 0)), /raw_data is not in its canonical/],
    [
      'a number in too many bytes',
      concat(raw(transfer), bytes('708100')),
      /raw_data is not in its canonical/,
    ],
    [
      'a negative number',
      concat(raw(transfer), bytes('70ffffffffffffffffff01')),
      /raw_data.timestamp is negative/,
    ],
    ['more than 64 bits', concat(raw(transfer), bytes('70ffffffffffffffffff02')), /more than 64 bits/],
    ['a number without end', concat(raw(transfer), bytes(`70${'80'.repeat(11)}`)), /more than 64 bits/],
    ['an unknown field', concat(raw(transfer), int(19, 1)), /unknown field, number 19 of wire type 0/],
    [
      'a known field of another type',
      concat(raw(transfer), bin(14, '01')),
      /unknown field, number 14 of wire type 2/,
    ],
    ['scripts', concat(bin(11, transfer), bin(12, '01')), /unknown field, number 12/],
    [
      'a contract name',
      raw(concat(int(1, 1), any('TransferContract', transferValue()), bin(4, '01'))),
      /number 4/,
    ],
    [
      'bytes after the end',
      concat(raw(transfer), bytes('00')),
      /raw_data ends within a number|unknown field/,
    ],
    ['a length past the end', bytes('0a05ab'), /raw_data ends within ref_block_bytes/],
    [
      'a field within a message',
      raw(concat(int(1, 1), any('TransferContract', concat(transferValue(), int(9, 1))))),
      /TransferContract has an unknown field/,
    ],
    [
      'a zero within a message',
      raw(concat(int(1, 1), any('TransferContract', concat(owner(), bin(2, to), int(3, 0))))),
      /TransferContract is not in its canonical/,
    ],
    [
      'another parameter',
      raw(concat(int(1, 1), any('TriggerSmartContract', transferValue()))),
      /does not come with a parameter/,
    ],
    ['no parameter', raw(int(1, 1)), /does not come with a parameter/],
    [
      'another type URL',
      raw(concat(int(1, 1), bin(2, concat(text(1, 'x/protocol.TransferContract'), bin(2, transferValue()))))),
      /does not come with/,
    ],
    [
      'a type that is not signed',
      raw(concat(int(1, 2), any('TransferAssetContract', transferValue()))),
      /UNSUPPORTED_TRANSACTION_TYPE: contract type 2/,
    ],
    ['no type', raw(any('AccountCreateContract', owner())), /UNSUPPORTED_TRANSACTION_TYPE: contract type 0/],
    [
      'an address of 20 bytes',
      raw(concat(int(1, 1), any('TransferContract', concat(owner(), bin(2, to.slice(2)))))),
      /to_address is not 21 bytes/,
    ],
    [
      'an address of another prefix',
      raw(concat(int(1, 1), any('TransferContract', concat(owner(), bin(2, `a0${to.slice(2)}`))))),
      /to_address is not 21 bytes/,
    ],
    [
      'no owner',
      raw(concat(int(1, 1), any('TransferContract', bin(2, to)))),
      /owner_address is not 21 bytes/,
    ],
    [
      'voting power delegated',
      raw(concat(int(1, 57), any('DelegateResourceContract', concat(owner(), int(2, 2), bin(4, to))))),
      /resource has the unknown value 2/,
    ],
    [
      'a lock that is neither',
      raw(concat(int(1, 57), any('DelegateResourceContract', concat(owner(), bin(4, to), int(5, 2))))),
      /lock is not a boolean/,
    ],
    [
      'a name that is not UTF-8',
      raw(concat(int(1, 46), any('AccountPermissionUpdateContract', concat(owner(), bin(2, bin(3, 'ff')))))),
      /permission_name is not UTF-8/,
    ],
    ['the whole transaction', bin(1, raw(transfer)), /contracts instead of one/],
  ]
  for (const [what, bytes, message] of refused) assert.throws(() => read(bytes), isFailure(message), what)
  for (const hex of ['', '0', 'zz', `0x${toHex(raw(transfer))}`]) {
    assert.throws(() => readTronTransaction(hex, signer), isFailure(/^failed to parse transaction: /), hex)
  }
  assert.throws(
    () => readTronTransaction(toHex(raw(transfer)), { curve: 'CURVE_ED25519', publicKey: '' }),
    isFailure(/^invalid curve: /),
  )
})

test('reading what was written gives it back, and the signature verifies under the digest', () => {
  fc.assert(
    fc.property(
      fc.record({
        bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
        numbers: fc.array(fc.bigInt(1n, 2n ** 63n - 1n), { minLength: 4, maxLength: 4 }),
        to: fc.uint8Array({ minLength: 20, maxLength: 20 }),
      }),
      ({ bytes: reference, numbers: [expiration, timestamp, feeLimit, amount], to: account }) => {
        assert.ok(expiration && timestamp && feeLimit && amount)
        const value = concat(owner(), bin(2, `41${toHex(account)}`), int(3, amount))
        const rawData = concat(
          bin(1, toHex(reference)),
          int(8, expiration),
          bin(11, concat(int(1, 1), any('TransferContract', value))),
          int(14, timestamp),
          int(18, feeLimit),
        )
        const { seen, toSign, signed } = read(rawData)
        assert.equal(seenContract(seen)['amount'], amount)
        assert.equal(seenContract(seen)['to_address'], base58check(`41${toHex(account)}`))
        const [digest] = toSign
        assert.ok(digest)
        assert.deepEqual(Buffer.from(digest.bytes), Buffer.from(sha256(rawData)))
        const signature = sign(digest.bytes)
        const fields = fieldsOf(present(fromHex(signed([signature]))))
        assert.deepEqual(
          fields.map(([number]) => number),
          [1, 2],
        )
        assert.equal(toHex(bytesOf(fields[0])), toHex(rawData))
        const bytes65 = bytesOf(fields[1])
        assert.equal(bytes65.length, 65)
        assert.ok(secp256k1.verify(bytes65.subarray(0, 64), digest.bytes, publicKey, { prehash: false }))
      },
    ),
    { numRuns: 100 },
  )
})

test('whatever is done to its bytes, a transaction is refused or read as a plain reader reads it', () => {
  let accepted = 0
  const originals = contracts().map(({ name, number, value }) =>
    raw(concat(int(1, number), any(name, value))),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...originals),
      fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.constantFrom('set', 'drop', 'insert')), {
        minLength: 1,
        maxLength: 3,
      }),
      (original, changes) => {
        const bytes = changes.reduce(changed, original)
        try {
          const seen = read(bytes).seen
          assert.deepEqual(plainlySeen(bytes), comparable(seen))
          accepted += 1
        } catch (error) {
          if (!(error instanceof Failure)) throw error
        }
      },
    ),
    { numRuns: 20_000 },
  )
  assert.ok(accepted > 500, `${accepted} of 20,000 changed transactions were still one`)
})

test('bytes without meaning are refused cleanly', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      assert.throws(() => read(bytes), isFailure(/^failed to parse transaction: /))
    }),
    { numRuns: 3_000 },
  )
})

function read(bytes: Uint8Array) {
  return readTronTransaction(toHex(bytes), signer)
}

function sign(digest: Uint8Array): ResourceSignature {
  const signature = toHex(secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' }))
  return {
    v: signature.slice(0, 2) === '01' ? '01' : '00',
    r: signature.slice(2, 66),
    s: signature.slice(66),
  }
}

// A plain reader of protobuf that shares nothing with the one under test.

type PlainField = readonly [number, bigint | Uint8Array]

function fieldsOf(message: Uint8Array): PlainField[] {
  const fields: PlainField[] = []
  let at = 0
  const next = (): bigint => {
    let shift = 0n
    let value = 0n
    for (;;) {
      const byte = BigInt(present(message[at]))
      at += 1
      value += (byte % 128n) << shift
      shift += 7n
      if (byte < 128n) return value
    }
  }
  while (at < message.length) {
    const tag = Number(next())
    const value = next()
    if (tag % 8 === 0) {
      fields.push([tag >> 3, value])
    } else {
      fields.push([tag >> 3, message.slice(at, at + Number(value))])
      at += Number(value)
    }
  }
  return fields
}

function plainlySeen(rawData: Uint8Array): unknown {
  const fields = new Map(fieldsOf(rawData))
  const contract = new Map(fieldsOf(binary(fields.get(11))))
  const parameter = new Map(fieldsOf(binary(contract.get(2))))
  const hexOf = (value: bigint | Uint8Array | undefined) => toHex(binary(value))
  const value = new Map(fieldsOf(binary(parameter.get(2))))
  const name = Buffer.from(binary(parameter.get(1)))
    .toString('utf8')
    .split('.')
    .at(-1)
  return {
    ref_block_bytes: hexOf(fields.get(1)),
    ref_block_hash: hexOf(fields.get(4)),
    expiration: fields.get(8) ?? 0n,
    data: hexOf(fields.get(10)),
    timestamp: fields.get(14) ?? 0n,
    fee_limit: fields.get(18) ?? 0n,
    type: name,
    permission_id: contract.get(5) ?? 0n,
    owner_address: base58check(hexOf(value.get(1))),
  }
}

function comparable(seen: unknown): unknown {
  const { contract: _, ...rest } = txOf(seen)
  const { type, permission_id, owner_address } = seenContract(seen)
  return { ...rest, type, permission_id, owner_address }
}

function seenContract(seen: unknown): Record<string, unknown> {
  const [contract] = txOf(seen)['contract'] as Record<string, unknown>[]
  return present(contract)
}

function without(seen: unknown): unknown {
  const { contract: _, ...rest } = txOf(seen)
  return rest
}

function txOf(seen: unknown): Record<string, unknown> {
  return (seen as { tron: { tx: Record<string, unknown> } }).tron.tx
}

function bytesOf(field: PlainField | undefined): Uint8Array {
  return binary(field?.[1])
}

function binary(value: bigint | Uint8Array | undefined): Uint8Array {
  assert.ok(typeof value !== 'bigint')
  return value ?? new Uint8Array()
}

function changed(original: Uint8Array, [where, byte, how]: readonly [number, number, string]): Uint8Array {
  const at = original.length === 0 ? 0 : where % original.length
  const before = original.slice(0, at)
  if (how === 'insert') return concat(before, Uint8Array.of(byte), original.slice(at))
  return concat(before, how === 'set' ? Uint8Array.of(byte) : new Uint8Array(), original.slice(at + 1))
}

function isFailure(message: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Failure, String(error))
    assert.match(error.message, message)
    return true
  }
}

for (const [what, hex, why] of [
  ['contracts', '5a00', /contract has more than 16 entries/],
  ['fields that come again', '4001', /not in its canonical encoding/],
] as const) {
  test(`very many ${what} are refused, and not read to their end`, () => {
    const { counted, reads } = countedReads(Buffer.from(hex.repeat(65_536), 'hex'))
    assert.throws(() => seeTronTransaction(counted), why)
    assert.ok(reads() < 200, `${reads()} reads`)
  })
}
