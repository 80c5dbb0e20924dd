import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'
import fc from 'fast-check'
import {
  cborBytes,
  cborInteger,
  cborMap,
  cborText,
  createAuthenticator,
} from '../../../test/support/software-authenticator.ts'
import { passkeyVerifyKey } from './webauthn-cose.ts'
import { readIntegerMap } from './webauthn-cbor.ts'

const seeded = (length: number) => createHash('sha512').update(String(length)).digest().subarray(0, length)
const ec = Buffer.from(createAuthenticator({ randomBytes: seeded }).publicKey, 'base64url')
const rsa = Buffer.from(
  createAuthenticator({ randomBytes: seeded, algorithm: 'RS256' }).publicKey,
  'base64url',
)
const x = ec.subarray(10, 42)
const y = ec.subarray(45, 77)
const n = rsa.subarray(11, 11 + 256)

test('the keys of ES256 and RS256 passkeys are read', () => {
  assert.equal(passkeyVerifyKey(ec)?.algorithm, 'ES256')
  assert.equal(passkeyVerifyKey(rsa)?.algorithm, 'RS256')
  assert.deepEqual(
    passkeyVerifyKey(ecKey())?.key.export({ format: 'jwk' }),
    passkeyVerifyKey(ec)?.key.export({ format: 'jwk' }),
  )
  assert.deepEqual(
    passkeyVerifyKey(rsaKey(n))?.key.export({ format: 'jwk' }),
    passkeyVerifyKey(rsa)?.key.export({ format: 'jwk' }),
  )
})

test('a point that is not on P-256, another curve or another algorithm is refused', () => {
  const offCurve = Buffer.from(y)
  offCurve[31] = (offCurve[31] ?? 0) ^ 1
  const refused = [
    ecKey({ y: offCurve }),
    ecKey({ x: Buffer.alloc(32), y: Buffer.alloc(32) }),
    ecKey({ x: Buffer.alloc(32, 0xff) }),
    ecKey({ y: y.subarray(1) }),
    ecKey({ x: Buffer.concat([Buffer.alloc(1), x]) }),
    ecKey({ kty: 3 }),
    ecKey({ kty: 1 }),
    ecKey({ alg: -8 }),
    ecKey({ alg: -257 }),
    ecKey({ crv: 2 }),
    ecKey({ extra: [[cborInteger(2), cborBytes(x)]] }),
    Buffer.concat([ec, Buffer.of(0)]),
    ec.subarray(0, -1),
    Buffer.alloc(0),
  ]
  for (const bytes of refused) assert.equal(passkeyVerifyKey(bytes), undefined, bytes.toString('hex'))
})

test('an RSA key is refused outside 2048 to 4096 bits and with an exponent that is even, one or long', () => {
  const modulus = (length: number) => Buffer.concat([Buffer.of(0x80), Buffer.alloc(length - 2), Buffer.of(1)])
  assert.ok(passkeyVerifyKey(rsaKey(modulus(256))))
  assert.ok(passkeyVerifyKey(rsaKey(modulus(512))))
  assert.ok(passkeyVerifyKey(rsaKey(n, Buffer.of(3))))
  for (const bad of [
    modulus(255),
    modulus(128),
    modulus(513),
    Buffer.concat([Buffer.of(0), n]),
    Buffer.alloc(256, 0x80),
  ]) {
    assert.equal(passkeyVerifyKey(rsaKey(bad)), undefined)
  }
  for (const bad of ['', '01', '02', '010000', '00010001', '0100000001']) {
    assert.equal(passkeyVerifyKey(rsaKey(n, Buffer.from(bad, 'hex'))), undefined, bad)
  }
})

test('a map is read only in the one form that an authenticator writes', () => {
  assert.deepEqual(readIntegerMap(cborMap([[cborInteger(-300), cborInteger(1000)]])), new Map([[-300, 1000]]))
  const refused = [
    'a2 0101 0101', // a key twice
    'bf 0101 ff', // indefinite length
    'a1 1801 01', // an integer longer than it must be
    'a1 190001 01',
    'a1 01 f6', // null
    'a1 01 8101', // an array
    'a1 4101 01', // a byte string as the key
    'a1 01 5820 00', // bytes missing
    'a1 01', // a value missing
    'a1', // everything missing
    'b8 05', // more entries than there are
    '81 01', // an array and no map
    'a1 01 1a00010000', // more than 16 bits
    'a0 00', // bytes left over
  ]
  for (const hex of refused)
    assert.equal(readIntegerMap(Buffer.from(hex.replaceAll(' ', ''), 'hex')), undefined, hex)
  assert.equal(readIntegerMap(cborMap([[cborText('a'), cborInteger(1)]])), undefined)
})

test('whatever is read as a map, SimpleWebAuthn reads as the same map, and nothing throws', () => {
  const near = fc
    .tuple(fc.constantFrom(ec, rsa), fc.nat(), fc.integer({ min: 0, max: 255 }))
    .map(([key, at, byte]) => {
      const copy = Buffer.from(key)
      copy[(at % 100) % copy.length] = byte
      return copy
    })
  fc.assert(
    fc.property(fc.oneof(near, fc.uint8Array({ maxLength: 40 })), (bytes) => {
      passkeyVerifyKey(bytes)
      const map = readIntegerMap(bytes)
      if (map === undefined) return
      const theirs: unknown = decodeCredentialPublicKey(Uint8Array.from(bytes))
      assert.ok(theirs instanceof Map)
      assert.deepEqual(entriesOf(map), entriesOf(theirs))
    }),
    { numRuns: 2000 },
  )
})

function entriesOf(map: ReadonlyMap<unknown, unknown>): unknown {
  return [...map].map(([key, value]) => [
    key,
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  ])
}

function ecKey(
  bent: {
    readonly kty?: number
    readonly alg?: number
    readonly crv?: number
    readonly x?: Uint8Array
    readonly y?: Uint8Array
    readonly extra?: readonly (readonly [Uint8Array, Uint8Array])[]
  } = {},
): Buffer {
  return cborMap([
    [cborInteger(1), cborInteger(bent.kty ?? 2)],
    [cborInteger(3), cborInteger(bent.alg ?? -7)],
    [cborInteger(-1), cborInteger(bent.crv ?? 1)],
    [cborInteger(-2), cborBytes(bent.x ?? x)],
    [cborInteger(-3), cborBytes(bent.y ?? y)],
    ...(bent.extra ?? []),
  ])
}

function rsaKey(modulus: Uint8Array, exponent: Uint8Array = Buffer.of(1, 0, 1)): Buffer {
  return cborMap([
    [cborInteger(1), cborInteger(3)],
    [cborInteger(3), cborInteger(-257)],
    [cborInteger(-1), cborBytes(modulus)],
    [cborInteger(-2), cborBytes(exponent)],
  ])
}
