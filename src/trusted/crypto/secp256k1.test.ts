import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { Bug } from '../base/assert.ts'
import { toHex } from '../base/bytes.ts'
import { writeDer } from './der.ts'
import { isP1363 } from './testing/is-p1363.ts'
import { SECP256K1_ORDER } from './scalar.ts'
import {
  isSecp256k1Secret,
  readSecp256k1Key,
  secp256k1Backend,
  secp256k1PublicKeyOf,
  secp256k1VerifyKey,
  signWith,
  verifySecp256k1,
  verifySecp256k1Digest,
} from './secp256k1.ts'
import { nativeBackend, nobleBackend } from './secp256k1-backend.ts'
import { hex, vectorTest, type Wycheproof } from './testing/vectors.ts'

const backends = nativeBackend === undefined ? [nobleBackend] : [nativeBackend, nobleBackend]
const names = nativeBackend === undefined ? (['noble'] as const) : (['native', 'noble'] as const)
const bytes32 = () => fc.uint8Array({ minLength: 32, maxLength: 32 })
const secrets = () => bytes32().filter(isSecp256k1Secret)

test('libsecp256k1 is what runs where its binary is', () => {
  assert.equal(secp256k1Backend, nativeBackend === undefined ? 'noble' : 'native')
})

test('both backends give the same bytes', { skip: nativeBackend === undefined && 'no native binary' }, () => {
  fc.assert(
    fc.property(secrets(), bytes32(), (secret, digest) => {
      const [native, noble] = backends.map((backend) => backend.sign(digest, secret))
      assert.deepEqual(Buffer.from(native?.rs ?? []), Buffer.from(noble?.rs ?? []))
      assert.equal(native?.recovery, noble?.recovery)
    }),
    { numRuns: 100 },
  )
})

test('a key plus a multiple of the generator is the key of the sum, with both backends', () => {
  fc.assert(
    fc.property(secrets(), secrets(), (secret, scalar) => {
      const sum = secp256k1.Point.Fn.create(
        secp256k1.Point.Fn.fromBytes(secret) + secp256k1.Point.Fn.fromBytes(scalar),
      )
      fc.pre(sum !== 0n)
      const expected = toHex(secp256k1.Point.BASE.multiply(sum).toBytes(true))
      for (const backend of backends) {
        assert.equal(toHex(backend.plus(backend.publicKeyOf(secret, true), scalar)), expected)
      }
    }),
    { numRuns: 50 },
  )
})

test('both backends give the same bytes for digests at the edges', () => {
  const secret = hex('01'.repeat(32))
  const edges = [
    '00'.repeat(32),
    `${'00'.repeat(31)}01`,
    toHex(SECP256K1_ORDER),
    'ff'.repeat(32),
    '80'.repeat(32),
  ]
  for (const edge of edges) {
    const [first, ...others] = names.map((name) => signWith(name)(secret).sign(hex(edge)))
    for (const other of others) assert.deepEqual(other, first, edge)
  }
})

test('a signature is low s, recovers to the key with its v, and verifies elsewhere', () => {
  fc.assert(
    fc.property(secrets(), bytes32(), (secret, digest) => {
      const signer = signWith(secp256k1Backend)(secret)
      const { r, s, v } = signer.sign(digest)
      assert.match(r + s, /^[0-9a-f]{128}$/)
      assert.ok(BigInt(`0x${s}`) <= secp256k1.Point.Fn.ORDER / 2n)
      const recovered = secp256k1.recoverPublicKey(hex(v + r + s), digest, { prehash: false })
      assert.equal(toHex(recovered), signer.publicKey)
    }),
    { numRuns: 30 },
  )
})

test('a signature that does not verify under the stated key is never returned', () => {
  const other = secp256k1PublicKeyOf(hex('02'.repeat(32)))
  for (const name of names) {
    assert.throws(() => signWith(name)(hex('01'.repeat(32)), other).sign(hex('aa'.repeat(32))), Bug)
  }
})

test('a secret is 32 bytes in 1..n-1', () => {
  const last = Buffer.from(SECP256K1_ORDER)
  last[31] = 0x40
  assert.ok(isSecp256k1Secret(last))
  for (const bad of [
    '00'.repeat(32),
    toHex(SECP256K1_ORDER),
    'ff'.repeat(32),
    '01'.repeat(31),
    '01'.repeat(33),
  ]) {
    assert.ok(!isSecp256k1Secret(hex(bad)), bad)
    assert.throws(() => secp256k1PublicKeyOf(hex(bad)), Bug)
  }
})

test('a public key reads back from both of its forms and either case', () => {
  fc.assert(
    fc.property(secrets(), (secret) => {
      const compressed = secp256k1PublicKeyOf(secret)
      const key = readSecp256k1Key(compressed)
      assert.equal(key?.compressed, compressed)
      assert.deepEqual(readSecp256k1Key(key?.uncompressed.toUpperCase() ?? ''), key)
    }),
    { numRuns: 30 },
  )
})

test('what is not a point in one of the two forms is refused', () => {
  const key = readSecp256k1Key(secp256k1PublicKeyOf(hex('01'.repeat(32))))
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
    `02${'00'.repeat(31)}05`, // no such x
    `04${'00'.repeat(64)}`,
  ]
  for (const text of bad) assert.equal(readSecp256k1Key(text), undefined, text)
})

test('any text reads as a key of the curve or not at all', () => {
  const almost = fc.tuple(fc.constantFrom('02', '03', '04'), fc.uint8Array({ minLength: 31, maxLength: 66 }))
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        almost.map(([tag, rest]) => tag + toHex(rest)),
      ),
      (text) => {
        const key = readSecp256k1Key(text)
        if (key !== undefined) assert.ok(nobleBackend.isPublicKey(hex(key.uncompressed)))
      },
    ),
  )
})

vectorTest<{ valid: { d: string; m: string; signature: string }[]; invalid: { sign: { d: string }[] } }>(
  'both backends sign as RFC 6979 has it',
  'rfc6979/ecdsa-secp256k1.json',
  ({ valid, invalid }) => {
    assert.equal(valid.length, 2019)
    for (const { d, m, signature } of valid) {
      for (const backend of backends) assert.equal(toHex(backend.sign(hex(m), hex(d)).rs), signature)
    }
    for (const { d } of invalid.sign) assert.ok(!isSecp256k1Secret(hex(d)))
  },
)

type EcGroup = { readonly publicKey: { readonly uncompressed: string } }
type EcCase = { readonly msg: string; readonly sig: string }

vectorTest<Wycheproof<EcGroup, EcCase>>(
  'Wycheproof, ECDSA secp256k1 with DER: every verdict is ours',
  'wycheproof/ecdsa_secp256k1_sha256_test.json',
  ({ testGroups }) => {
    for (const group of testGroups) {
      const key = secp256k1VerifyKey(group.publicKey.uncompressed)
      assert.ok(key)
      for (const { tcId, msg, sig, result, comment } of group.tests) {
        const verifies = verifySecp256k1(key, hex(msg), hex(sig))
        assert.equal(verifies, result === 'valid', `case ${tcId}: ${comment}`)
      }
    }
  },
)

vectorTest<Wycheproof<EcGroup, EcCase>>(
  'Wycheproof, ECDSA secp256k1 as Bitcoin has it: high s is the one thing that we accept and it does not',
  'wycheproof/ecdsa_secp256k1_sha256_bitcoin_test.json',
  ({ testGroups }) => {
    for (const group of testGroups) {
      const key = secp256k1VerifyKey(group.publicKey.uncompressed)
      assert.ok(key)
      for (const { tcId, msg, sig, result, comment } of group.tests) {
        const verifies = verifySecp256k1(key, hex(msg), hex(sig))
        const isHighS = tcId === 1 || tcId === 388
        assert.equal(verifies, result === 'valid' || isHighS, `case ${tcId}: ${comment}`)
      }
    }
  },
)

vectorTest<Wycheproof<EcGroup, EcCase>>(
  'Wycheproof, ECDSA secp256k1 with P1363: every verdict is ours, on both backends',
  'wycheproof/ecdsa_secp256k1_sha256_p1363_test.json',
  ({ testGroups }) => {
    for (const group of testGroups) {
      const key = secp256k1VerifyKey(group.publicKey.uncompressed)
      assert.ok(key)
      for (const { tcId, msg, sig, result, comment } of group.tests) {
        const rs = hex(sig)
        const isInRange = isP1363(rs, SECP256K1_ORDER)
        const verifies: boolean = isInRange && verifySecp256k1(key, hex(msg), writeDer(rs))
        assert.equal(verifies, result === 'valid', `case ${tcId}: ${comment}`)
        const byNoble: boolean =
          isInRange && nobleBackend.verify(rs, hash('sha256', hex(msg), 'buffer'), key.point)
        assert.equal(byNoble, verifies, `case ${tcId}: ${comment}`)
      }
    }
  },
)

type Stamp = { body: string; json: { publicKey: string; signature: string }; digest: string }
type RawPayload = { curve: string; digest?: string; r: string; s: string; v: string }
type Kats = { stamps: { SECP256K1: Stamp; EIP191: Stamp }; signRawPayload: RawPayload[] }

vectorTest<Kats>('known stamps verify', 'facts/crypto-kats.json', ({ stamps }) => {
  const { SECP256K1, EIP191 } = stamps
  const key = secp256k1VerifyKey(SECP256K1.json.publicKey)
  assert.ok(key)
  assert.ok(verifySecp256k1(key, Buffer.from(SECP256K1.body), hex(SECP256K1.json.signature)))
  assert.ok(!verifySecp256k1(key, Buffer.from(`${SECP256K1.body} `), hex(SECP256K1.json.signature)))
  assert.ok(verifySecp256k1Digest(key, hex(EIP191.digest), hex(EIP191.json.signature)))
})

vectorTest<Kats>(
  'known payloads are signed to the letter',
  'facts/crypto-kats.json',
  ({ signRawPayload }) => {
    // The first account of the test mnemonic that ends in "junk".
    const secret = hex('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
    let count = 0
    for (const { curve, digest, r, s, v } of signRawPayload) {
      if (curve !== 'CURVE_SECP256K1' || digest === undefined) continue
      for (const name of names) assert.deepEqual(signWith(name)(secret).sign(hex(digest)), { r, s, v })
      count++
    }
    assert.equal(count, 8)
  },
)
