import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { VersionedTransaction } from '@solana/web3.js'
import { toHex } from '../../base/bytes.ts'
import { Failure } from '../../base/failure.ts'
import { resourceSignature } from '../../crypto/signature.ts'
import { vectorTest } from '../../crypto/testing/vectors.ts'
import type { SeenFields, TransactionSigner } from '../transaction.ts'
import { encodeMessage, encodeTransaction } from './testing/encode.ts'
import { aMessage, address, key } from './testing/messages.ts'
import { readSolanaTransaction } from './transaction.ts'

const seed = new Uint8Array(32).fill(5)
const owner = ed25519.getPublicKey(seed)

type Known = {
  readonly keys: { readonly ed25519: { readonly privateKey: string; readonly publicKey: string } }
  readonly signTransaction: readonly {
    readonly type: string
    readonly kind: string
    readonly signWith: string
    readonly unsignedTransaction: string
    readonly signedTransaction: string
  }[]
}

vectorTest<Known>(
  'transactions are signed as the known answers have it',
  'facts/crypto-kats.json',
  (known) => {
    const cases = known.signTransaction.filter(({ type }) => type === 'TRANSACTION_TYPE_SOLANA')
    for (const { signWith, unsignedTransaction, signedTransaction } of cases) {
      const publicKey = base58.decode(signWith)
      const read = readSolanaTransaction(unsignedTransaction, signerOf(publicKey), [])
      const signature = Buffer.from(signedTransaction, 'hex').subarray(1, 65)

      assert.equal(read.signed([resourceSignature(signature, 0)]), signedTransaction)
      assert.ok(isSignature(signature, only(read.toSign).bytes, publicKey))
      assert.deepEqual(txOf(read.seen)['transfers'], [{ from: signWith, to: BURN, amount: 1n }])
    }
    assert.equal(cases.length, 2)
  },
)

const BURN = base58.encode(Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? 1 : 0)))

test('the signature goes into the slot of its key, and all other slots stay as they were', () => {
  const accountKeys = [key(1), owner, key(3), key(9)]
  const message = aMessage({ requiredSignatures: 3, accountKeys })
  const slots = [key64(11), new Uint8Array(64), key64(13)]
  const wire = encodeTransaction(message, slots)

  const read = readSolanaTransaction(`0x${toHex(wire)}`, signerOf(owner), [])
  const signature = ed25519.sign(only(read.toSign).bytes, seed)
  const signed = Buffer.from(read.signed([resourceSignature(signature, 0)]), 'hex')

  assert.deepEqual(only(read.toSign), { bytes: Buffer.from(encodeMessage(message)), scheme: 'curve' })
  assert.deepEqual(signed, encodeTransaction(message, [key64(11), signature, key64(13)]))
  const { signatures, message: theirs } = VersionedTransaction.deserialize(signed)
  assert.ok(isSignature(signatures[1] ?? signature, theirs.serialize(), owner))
  assert.deepEqual(Buffer.from(wire.subarray(65, 129)), Buffer.alloc(64), 'what was sent is left as it was')
})

test('a key on another curve, or one that need not sign, signs nothing', () => {
  const wire = toHex(encodeTransaction(aMessage({}), [new Uint8Array(64)]))

  refused(
    () => readSolanaTransaction(wire, { curve: 'CURVE_SECP256K1', publicKey: '02' }, []),
    [
      'wrongCurveForTransaction',
      'invalid curve: a transaction of Solana needs a key on CURVE_ED25519, this one is on CURVE_SECP256K1',
    ],
  )
  refused(
    () => readSolanaTransaction(wire, signerOf(key(2)), []),
    [
      'invalidTransaction',
      `failed to parse transaction: INVALID_TRANSACTION: ${address(2)} is not one of its required signers`,
    ],
  )
})

test('there is room for exactly the signatures that are required', () => {
  const message = aMessage({ requiredSignatures: 2, accountKeys: [key(1), key(2), key(9)] })
  const read = (slots: number) => {
    const signatures = Array.from({ length: slots }, () => new Uint8Array(64))
    return () => readSolanaTransaction(toHex(encodeTransaction(message, signatures)), signerOf(key(2)), [])
  }

  assert.ok(read(2)())
  for (const slots of [0, 1, 3]) {
    refused(read(slots), [
      'invalidTransaction',
      `failed to parse transaction: INVALID_TRANSACTION: there is room for ${slots} signatures, and 2 are required`,
    ])
  }
})

test('only hexadecimal of at most 1232 bytes is read', () => {
  const read = (hex: string) => () => readSolanaTransaction(hex, signerOf(key(1)), [])
  for (const hex of ['', '0', 'zz', '0x', '01 00']) refused(read(hex), ['unreadableTransaction'])
  refused(read('00'.repeat(1233)), [
    'unreadableTransaction',
    'failed to parse transaction: 1233 bytes are more than the 1232 of a transaction',
  ])
})

function refused(act: () => unknown, [kind, text]: readonly [string, string?]): void {
  assert.throws(act, (error) => {
    assert.ok(error instanceof Failure, String(error))
    assert.equal(error.kind, kind)
    if (text !== undefined) assert.equal(error.message, text)
    return true
  })
}

function signerOf(publicKey: Uint8Array): TransactionSigner {
  return { curve: 'CURVE_ED25519', publicKey: toHex(publicKey) }
}

function txOf(seen: SeenFields): SeenFields {
  const { tx } = seen['solana'] as { readonly tx: SeenFields }
  return tx
}

function only<T>(items: readonly T[]): T {
  const [item] = items
  assert.ok(item !== undefined && items.length === 1)
  return item
}

function key64(number: number): Uint8Array {
  return new Uint8Array(64).fill(number)
}

/** With two libraries. */
function isSignature(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  const x = Buffer.from(publicKey).toString('base64url')
  const nodeKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, message, nodeKey, signature) && ed25519.verify(signature, message, publicKey)
}
