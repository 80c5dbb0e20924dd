import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { p256 } from '@noble/curves/nist.js'
import fc from 'fast-check'
import { Bug } from '../base/assert.ts'
import { toHex, utf8 } from '../base/bytes.ts'
import { readDer } from './der.ts'
import {
  isP256Secret,
  p256PublicKeyOf,
  p256Signer,
  p256UncompressedKeyOf,
  p256VerifyKey,
  readP256Key,
  signP256Message,
  verifyP256,
  verifyP256P1363Async,
} from './p256.ts'
import { P256_ORDER } from './scalar.ts'
import { hex, vectorTest, type Wycheproof } from './testing/vectors.ts'

const bytes32 = () => fc.uint8Array({ minLength: 32, maxLength: 32 })
const secrets = () => bytes32().filter(isP256Secret)

test('signatures are those of RFC 6979, appendix A.2.5, with low s', () => {
  const secret = hex('c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721')
  const signer = p256Signer(secret)
  const known = {
    sample: [
      'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716',
      'f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8',
    ],
    test: [
      'f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367',
      '019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083',
    ],
  }
  for (const [message, [r, s]] of Object.entries(known)) {
    const low = p256.Point.Fn.toBytes(BigInt(`0x${s}`))
    const negated = p256.Point.Fn.toBytes(p256.Point.Fn.ORDER - BigInt(`0x${s}`))
    const signed = signer.sign(hash('sha256', message, 'buffer'))
    assert.equal(signed.r, r)
    assert.equal(signed.s, toHex(Buffer.compare(low, negated) < 0 ? low : negated))
  }
})

test('a signature is low s, recovers to the key with its v, and verifies elsewhere', () => {
  fc.assert(
    fc.property(secrets(), bytes32(), (secret, digest) => {
      const signer = p256Signer(secret)
      const { r, s, v } = signer.sign(digest)
      assert.match(r + s, /^[0-9a-f]{128}$/)
      assert.ok(BigInt(`0x${s}`) <= p256.Point.Fn.ORDER / 2n)
      assert.equal(toHex(p256.recoverPublicKey(hex(v + r + s), digest, { prehash: false })), signer.publicKey)
    }),
    { numRuns: 20 },
  )
})

test('a digest at the edge is signed', () => {
  const signer = p256Signer(hex('03'.repeat(32)))
  for (const edge of ['00'.repeat(32), 'ff'.repeat(32), toHex(P256_ORDER)]) {
    const { r, s } = signer.sign(hex(edge))
    assert.ok(p256.verify(hex(r + s), hex(edge), hex(signer.publicKey), { prehash: false }), edge)
  }
})

test('a signature that does not verify under the stated key is never returned', () => {
  const other = p256PublicKeyOf(hex('02'.repeat(32)))
  assert.throws(() => p256Signer(hex('01'.repeat(32)), other).sign(hex('aa'.repeat(32))), Bug)
})

test('a secret is 32 bytes in 1..n-1', () => {
  for (const bad of ['00'.repeat(32), toHex(P256_ORDER), 'ff'.repeat(32), '01'.repeat(31), '01'.repeat(33)]) {
    assert.ok(!isP256Secret(hex(bad)), bad)
    assert.throws(() => p256PublicKeyOf(hex(bad)), Bug)
  }
})

test('a public key reads back from both of its forms and either case', () => {
  fc.assert(
    fc.property(secrets(), (secret) => {
      const compressed = p256PublicKeyOf(secret)
      const key = readP256Key(compressed)
      assert.deepEqual(key, { compressed, uncompressed: toHex(p256UncompressedKeyOf(secret)) })
      assert.deepEqual(readP256Key(key?.uncompressed.toUpperCase() ?? ''), key)
      assert.equal(toHex(p256.getPublicKey(secret)), compressed)
    }),
    { numRuns: 30 },
  )
})

test('what is not a point in one of the two forms is refused', () => {
  const key = readP256Key(p256PublicKeyOf(hex('01'.repeat(32))))
  const point = key?.uncompressed ?? ''
  const parity = Number.parseInt(point.slice(-1), 16) & 1
  const bad = [
    '',
    '00',
    '00'.repeat(33),
    `${parity === 1 ? '07' : '06'}${point.slice(2)}`, // hybrid, and right
    `${point.slice(0, -2)}00`,
    `0x${key?.compressed}`,
    `${key?.compressed}00`,
    key?.compressed.slice(2) ?? '',
    `02${'ff'.repeat(32)}`, // x not below the field
    `02${'00'.repeat(31)}01`, // no such x
    `04${'00'.repeat(64)}`,
  ]
  for (const text of bad) {
    assert.equal(readP256Key(text), undefined, text)
    assert.equal(p256VerifyKey(text), undefined, text)
  }
})

test('a signed message verifies, and another does not', () => {
  const signer = p256Signer(hex('05'.repeat(32)))
  const key = p256VerifyKey(signer.publicKey)
  assert.ok(key)
  const signature = signP256Message(signer, utf8('hello'))
  assert.ok(verifyP256(key, utf8('hello'), signature))
  assert.ok(!verifyP256(key, utf8('hullo'), signature))
})

test('high s is accepted when verifying', async () => {
  const signer = p256Signer(hex('05'.repeat(32)))
  const key = p256VerifyKey(signer.publicKey)
  assert.ok(key)
  const { r, s } = signer.sign(hash('sha256', 'hello', 'buffer'))
  const highS = p256.Point.Fn.toBytes(p256.Point.Fn.ORDER - BigInt(`0x${s}`))
  assert.ok(await verifyP256P1363Async(key, utf8('hello'), Buffer.concat([hex(r), highS])))
})

type EcGroup = { readonly publicKey: { readonly uncompressed: string } }
type EcCase = { readonly msg: string; readonly sig: string }

vectorTest<Wycheproof<EcGroup, EcCase>>(
  'Wycheproof, ECDSA P-256 with DER: every verdict is ours',
  'wycheproof/ecdsa_secp256r1_sha256_test.json',
  ({ testGroups }) => {
    for (const group of testGroups) {
      const key = p256VerifyKey(group.publicKey.uncompressed)
      assert.ok(key)
      for (const { tcId, msg, sig, result, comment } of group.tests) {
        assert.equal(verifyP256(key, hex(msg), hex(sig)), result === 'valid', `case ${tcId}: ${comment}`)
      }
    }
  },
)

vectorTest<Wycheproof<EcGroup, EcCase>>(
  'Wycheproof, ECDSA P-256 with P1363: every verdict is ours',
  'wycheproof/ecdsa_secp256r1_sha256_p1363_test.json',
  async ({ testGroups }) => {
    for (const group of testGroups) {
      const key = p256VerifyKey(group.publicKey.uncompressed)
      assert.ok(key)
      for (const { tcId, msg, sig, result, comment } of group.tests) {
        const verifies = await verifyP256P1363Async(key, hex(msg), hex(sig))
        assert.equal(verifies, result === 'valid', `case ${tcId}: ${comment}`)
      }
    }
  },
)

type Stamp = { body: string; json: { publicKey: string; signature: string } }
type Kats = {
  stamps: { P256_highS: Stamp; P256_lowS: Stamp; nonMinimalDerFromToDerSignature: { der: string } }
  keys: Record<string, { privateKey?: string; publicKeyCompressed?: string; publicKeyUncompressed?: string }>
}

vectorTest<Kats>(
  'known stamps verify, with high s and with low s',
  'facts/crypto-kats.json',
  ({ stamps }) => {
    for (const { body, json } of [stamps.P256_highS, stamps.P256_lowS]) {
      const key = p256VerifyKey(json.publicKey)
      assert.ok(key)
      assert.ok(readDer(hex(json.signature), P256_ORDER))
      assert.ok(verifyP256(key, utf8(body), hex(json.signature)))
      assert.ok(!verifyP256(key, utf8(`${body} `), hex(json.signature)))
    }
  },
)

vectorTest<Kats>('known secrets have the known keys', 'facts/crypto-kats.json', ({ keys }) => {
  let count = 0
  for (const { privateKey, publicKeyCompressed, publicKeyUncompressed } of Object.values(keys)) {
    if (privateKey === undefined || publicKeyUncompressed === undefined) continue
    assert.equal(p256PublicKeyOf(hex(privateKey)), publicKeyCompressed)
    assert.equal(toHex(p256UncompressedKeyOf(hex(privateKey))), publicKeyUncompressed)
    count++
  }
  assert.ok(count >= 10)
})
