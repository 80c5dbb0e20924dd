import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { vectors } from '../../../test/support/vectors.ts'
import { Failure } from '../base/failure.ts'
import type { Curve } from '../crypto/curve.ts'
import { ethereumAddress } from './ethereum-address.ts'
import { type HashFunction, hashFunctions } from './hash-function.ts'
import { type PayloadEncoding, payloadEncodings } from './payload.ts'
import { payloadBytesToSign } from './testing/payload-bytes-to-sign.ts'

type Kat = Parameters<typeof payloadBytesToSign>[0] & {
  readonly [field in 'signWith' | 'r' | 's' | 'v']: string
} & { readonly digest?: string; readonly verifyKeyXOnly?: string }

test('the known signatures verify over the bytes that we would sign', () => {
  const { signRawPayload } = vectors<{ readonly signRawPayload: readonly Kat[] }>('facts/crypto-kats.json')

  for (const kat of signRawPayload) {
    const bytes = payloadBytesToSign(kat)
    const signature = Buffer.from(kat.r + kat.s, 'hex')
    if (kat.digest !== undefined) assert.equal(hex(bytes), kat.digest)
    if (kat.curve === 'CURVE_ED25519') {
      assert.ok(ed25519.verify(signature, bytes, base58.decode(kat.signWith)), kat.payload)
    } else if (kat.verifyKeyXOnly !== undefined) {
      assert.ok(schnorr.verify(signature, bytes, Buffer.from(kat.verifyKeyXOnly, 'hex')), kat.payload)
    } else {
      const recoverable = Buffer.concat([Buffer.from(kat.v, 'hex'), signature])
      const publicKey = secp256k1.recoverPublicKey(recoverable, bytes, { prehash: false })
      assert.equal(ethereumAddress(publicKey), kat.signWith)
    }
  }
  assert.equal(signRawPayload.length, 11)
})

test('hexadecimal is read with and without 0x and in either case', () => {
  for (const payload of ['deadBEEF', '0xDEADbeef', '0XDEADBEEF']) {
    assert.equal(hex(sign({ payload, ...onEd25519 })), 'deadbeef')
  }
})

test('a hexadecimal payload that is empty, odd or no hexadecimal is refused', () => {
  const refusals = [
    ['', 'the payload is empty'],
    ['0x', 'the payload is empty'],
    ['abc', 'the payload has an odd number of hexadecimal digits, 3'],
    ['0x0xab', '"x" is not a hexadecimal digit'],
    ['ab cd', '" " is not a hexadecimal digit'],
    ['ab\n', '"\\n" is not a hexadecimal digit'],
    ['12😀4', '"😀" is not a hexadecimal digit'],
  ] as const
  for (const [payload, what] of refusals) {
    refuses({ payload, ...onEd25519 }, `invalid payload encoding: ${what}`)
  }
})

test('text is signed as its UTF-8 bytes, and refused when empty or not well formed', () => {
  const encoding = 'PAYLOAD_ENCODING_TEXT_UTF8'

  assert.equal(hex(sign({ payload: 'ünï', ...onEd25519, encoding })), 'c3bc6ec3af')
  refuses({ payload: '', ...onEd25519, encoding }, 'invalid payload encoding: the payload is empty')
  refuses(
    { payload: 'a\ud800', ...onEd25519, encoding },
    'invalid payload encoding: the payload has a lone surrogate',
  )
})

test('a digest given as such has 32 bytes', () => {
  const digest = 'ab'.repeat(32)

  assert.equal(hex(sign({ payload: digest, hashFunction: 'HASH_FUNCTION_NO_OP' })), digest)
  for (const bytes of [1, 31, 33, 64]) {
    refuses(
      { payload: 'ab'.repeat(bytes), hashFunction: 'HASH_FUNCTION_NO_OP' },
      `expected a 32-bytes-long digest: HASH_FUNCTION_NO_OP was given ${bytes} bytes`,
    )
  }
})

test('each curve takes exactly the hash functions that suit it', () => {
  for (const hashFunction of hashFunctions) {
    for (const curve of ['CURVE_SECP256K1', 'CURVE_P256', 'CURVE_ED25519'] as const) {
      const suits = (curve === 'CURVE_ED25519') === (hashFunction === 'HASH_FUNCTION_NOT_APPLICABLE')
      const payload = { payload: 'ab'.repeat(32), hashFunction, curve }
      if (suits) assert.equal(sign(payload).length, 32)
      else refuses(payload, 'invalid hash function: ')
    }
  }
})

test('typed data and authorizations are for secp256k1, and take no further hash', () => {
  for (const encoding of ['PAYLOAD_ENCODING_EIP712', 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION'] as const) {
    const hashFunction = 'HASH_FUNCTION_NO_OP'
    refuses(
      { payload: '{}', encoding, hashFunction, curve: 'CURVE_P256' },
      `invalid payload encoding: ${encoding} needs a key on CURVE_SECP256K1, this one is on CURVE_P256`,
    )
    refuses(
      { payload: '{}', ...onEd25519, encoding },
      `invalid payload encoding: ${encoding} needs a key on CURVE_SECP256K1, this one is on CURVE_ED25519`,
    )
    refuses(
      { payload: '{}', encoding, hashFunction: 'HASH_FUNCTION_KECCAK256' },
      `invalid hash function: ${encoding} needs HASH_FUNCTION_NO_OP, not HASH_FUNCTION_KECCAK256`,
    )
  }
})

test('any text is either signed as 32 bytes or refused cleanly', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.stringMatching(/^(0x)?[0-9a-f]{0,70}$/)),
      fc.constantFrom(...payloadEncodings),
      fc.constantFrom(...hashFunctions),
      (payload, encoding, hashFunction) => {
        try {
          assert.equal(sign({ payload, encoding, hashFunction }).length, 32)
        } catch (thrown) {
          assert.ok(thrown instanceof Failure, String(thrown))
        }
      },
    ),
    { numRuns: 500 },
  )
})

const onEd25519 = { curve: 'CURVE_ED25519', hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' } as const

type Changes = {
  readonly payload: string
  readonly encoding?: PayloadEncoding
  readonly hashFunction?: HashFunction
  readonly curve?: Curve
}

function sign(changes: Changes): Uint8Array {
  return payloadBytesToSign({
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_SHA256',
    curve: 'CURVE_SECP256K1',
    ...changes,
  })
}

function refuses(changes: Changes, messageStart: string): void {
  assert.throws(
    () => sign(changes),
    (thrown) => {
      assert.ok(thrown instanceof Failure, String(thrown))
      assert.equal(thrown.code, 3)
      assert.equal(thrown.message.slice(0, messageStart.length), messageStart)
      return true
    },
  )
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
