import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 as nobleP256 } from '@noble/curves/nist.js'
import { schnorr, secp256k1 as nobleSecp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 as nobleRipemd160 } from '@noble/hashes/legacy.js'
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'
import { keccak_256 as nobleKeccak256, sha3_256 as nobleSha3 } from '@noble/hashes/sha3.js'
import * as scure from '@scure/base'
import fc from 'fast-check'
import { base58, createBase58check } from '../../console/arithmetic/base58.ts'
import { bech32, bech32m } from '../../console/arithmetic/bech32.ts'
import { isEd25519 } from '../../console/arithmetic/edwards.ts'
import { keccak_256, sha3_256 } from '../../console/arithmetic/keccak.ts'
import { p256, tweaked, whole } from '../../console/arithmetic/points.ts'
import { ripemd160 } from '../../console/arithmetic/ripemd160.ts'
import { isSchnorr } from '../../console/arithmetic/schnorr.ts'
import { sha256 } from '../../console/arithmetic/sha256.ts'
import { type Curve, ecdsaParity, secp256k1 } from '../../console/arithmetic/weierstrass.ts'
import { toHex } from '../../src/trusted/base/bytes.ts'
import { vectors, vectorText } from '../support/vectors.ts'

const hex = (text: string): Uint8Array => Buffer.from(text, 'hex')
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })

const CURVES = [
  ['secp256k1', secp256k1, nobleSecp256k1],
  ['secp256r1', p256, nobleP256],
] as const

type Wycheproof<Group> = {
  readonly testGroups: readonly (Group & {
    readonly tests: readonly { tcId: number; comment: string; result: string; msg: string; sig: string }[]
  })[]
}

function isOver(curve: Curve, rs: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  return ecdsaParity(curve, rs, hash('sha256', message, 'buffer'), key) !== undefined
}

for (const [name, curve, noble] of CURVES) {
  test(`Wycheproof, ECDSA on ${name}: every verdict is that of the page`, () => {
    const { testGroups } = vectors<Wycheproof<{ publicKey: { uncompressed: string } }>>(
      `wycheproof/ecdsa_${name}_sha256_p1363_test.json`,
    )
    let valid = 0
    for (const { publicKey, tests } of testGroups)
      for (const { tcId, comment, result, msg, sig } of tests) {
        if (result === 'valid') valid += 1
        const verdict = isOver(curve, hex(sig), hex(msg), hex(publicKey.uncompressed))
        assert.equal(verdict, result === 'valid', `case ${tcId}: ${comment}`)
      }
    assert.ok(valid > 50)
  })

  test(`a signature on ${name} has the parity that recovers its key, and holds for nothing else`, () => {
    fc.assert(
      fc.property(bytes32, bytes32, fc.nat(), (secret, digest, bit) => {
        fc.pre(noble.utils.isValidSecretKey(secret))
        const made = noble.sign(digest, secret, { prehash: false, format: 'recovered' })
        const [rs, key] = [made.slice(1), noble.getPublicKey(secret, bit % 2 === 0)]
        assert.equal(ecdsaParity(curve, rs, digest, key), made[0] === 1)
        for (const changed of [rs, digest, key]) {
          const at = Math.floor(bit / 8) % changed.length
          changed[at] = (changed[at] ?? 0) ^ (1 << (bit % 8))
          const isSameKey = changed === key && at === 0
          if (!isSameKey) assert.equal(ecdsaParity(curve, rs, digest, key), undefined)
          changed[at] = (changed[at] ?? 0) ^ (1 << (bit % 8))
        }
      }),
      { numRuns: 40 },
    )
  })

  test(`keys on ${name} are written out and added to as another library does`, () => {
    fc.assert(
      fc.property(bytes32, bytes32, (secret, scalar) => {
        fc.pre(noble.utils.isValidSecretKey(secret) && noble.utils.isValidSecretKey(scalar))
        const point = noble.Point.BASE.multiply(noble.Point.Fn.fromBytes(secret))
        assert.equal(toHex(whole(curve, point.toBytes(true))), toHex(point.toBytes(false)))
        const sum = point.add(noble.Point.BASE.multiply(noble.Point.Fn.fromBytes(scalar)))
        fc.pre(!sum.is0())
        assert.equal(toHex(tweaked(curve, point.toBytes(true), scalar)), toHex(sum.toBytes(true)))
      }),
      { numRuns: 20 },
    )
    const one = hex('01'.padStart(64, '0'))
    const key = noble.getPublicKey(one, true)
    // Twice the same point, and a point with its opposite.
    assert.equal(toHex(tweaked(curve, key, one)), toHex(noble.Point.BASE.double().toBytes(true)))
    const opposite = Uint8Array.of((key[0] ?? 0) ^ 1, ...key.subarray(1))
    assert.throws(() => tweaked(curve, opposite, one), RangeError)
    for (const none of [
      '',
      '00',
      '02',
      `02${'ff'.repeat(32)}`,
      `05${toHex(key).slice(2)}`,
      `${toHex(key)}00`,
    ])
      assert.throws(() => whole(curve, hex(none)), RangeError, none)
  })
}

test('every verdict of BIP-340 over a message of 32 bytes is that of the page', () => {
  const rows = vectorText('bips/bip-0340-test-vectors.csv').trim().split(/\r?\n/).slice(1)
  assert.equal(rows.length, 19)
  for (const row of rows) {
    const [, , publicKey = '', , message = '', signature = '', verdict] = row.split(',')
    assert.equal(isSchnorr(hex(signature), hex(message), hex(publicKey)), verdict === 'TRUE', row)
  }
  const [secret, digest] = [hex('05'.repeat(32)), hex('06'.repeat(32))]
  assert.ok(isSchnorr(schnorr.sign(digest, secret), digest, schnorr.getPublicKey(secret)))
})

test('Wycheproof, Ed25519: every verdict is that of the page', async () => {
  const { testGroups } = vectors<Wycheproof<{ publicKey: { pk: string } }>>('wycheproof/ed25519_test.json')
  for (const { publicKey, tests } of testGroups)
    for (const { tcId, comment, result, msg, sig } of tests) {
      const verdict = await isEd25519(hex(sig), hex(msg), hex(publicKey.pk))
      assert.equal(verdict, result === 'valid', `case ${tcId}: ${comment}`)
    }
})

test('of the edge cases of Ed25519 the page takes the one that the service takes', async () => {
  const cases =
    vectors<readonly { number: number; key: string; sig: string; msg: string }[]>('cctv/ed25519vectors.json')
  const taken: number[] = []
  for (const { number, key, sig, msg } of cases) {
    if (await isEd25519(hex(sig), Buffer.from(msg), hex(key))) taken.push(number)
    assert.equal(taken.includes(number), number === 305, `case ${number}`)
  }
})

test('what another library signs on Ed25519 verifies, and nothing else does', async () => {
  await fc.assert(
    fc.asyncProperty(bytes32, fc.uint8Array({ maxLength: 100 }), fc.nat(), async (secret, message, bit) => {
      const [rs, key] = [ed25519.sign(message, secret), ed25519.getPublicKey(secret)]
      assert.ok(await isEd25519(rs, message, key))
      const at = Math.floor(bit / 8) % 64
      rs[at] = (rs[at] ?? 0) ^ (1 << (bit % 8))
      assert.equal(await isEd25519(rs, message, key), false)
    }),
    { numRuns: 30 },
  )
})

for (const { name, ours, noble, empty } of [
  {
    name: 'SHA-256',
    ours: sha256,
    noble: nobleSha256,
    empty: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  },
  {
    name: 'Keccak-256',
    ours: keccak_256,
    noble: nobleKeccak256,
    empty: 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
  },
  {
    name: 'SHA3-256',
    ours: sha3_256,
    noble: nobleSha3,
    empty: 'a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a',
  },
  {
    name: 'RIPEMD-160',
    ours: ripemd160,
    noble: nobleRipemd160,
    empty: '9c1185a5c5e9fc54612808977ee8f548b2258d31',
  },
])
  test(`${name} of a page is that of another library, for every length around the ends of its blocks`, () => {
    assert.equal(toHex(ours(new Uint8Array())), empty)
    const bytes = Uint8Array.from({ length: 600 }, (_, at) => (at * 151 + 7) % 256)
    for (let length = 0; length <= bytes.length; length++) {
      const part = bytes.subarray(0, length)
      assert.equal(toHex(ours(part)), toHex(noble(part)), `${length} bytes`)
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3_000 }), (message) => {
        const before = toHex(message)
        assert.equal(toHex(ours(message)), toHex(noble(message)))
        assert.equal(toHex(message), before)
      }),
      { numRuns: 300 },
    )
  })

test('base58 is written and read as by another library, and refused where that refuses', () => {
  const [ours, theirs] = [createBase58check(sha256), scure.createBase58check(nobleSha256)]
  const outcome = (read: () => Uint8Array): string => {
    try {
      return toHex(read())
    } catch {
      return 'refused'
    }
  }
  const anyBytes = fc
    .tuple(fc.nat({ max: 5 }), fc.uint8Array({ maxLength: 80 }))
    .map(([zeros, rest]) => Uint8Array.of(...new Uint8Array(zeros), ...rest))
  const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0OIl ä'
  fc.assert(
    fc.property(anyBytes, fc.nat(), fc.constantFrom(...DIGITS), (bytes, at, digit) => {
      for (const [one, other] of [
        [base58, scure.base58],
        [ours, theirs],
      ] as const) {
        const text = one.encode(bytes)
        assert.equal(text, other.encode(bytes))
        assert.equal(toHex(one.decode(text)), toHex(bytes))
        const place = at % (text.length + 1)
        for (const changed of [
          text.slice(0, place) + digit + text.slice(place + 1),
          text.slice(0, place),
          digit + text,
        ])
          assert.equal(
            outcome(() => one.decode(changed)),
            outcome(() => other.decode(changed)),
            changed,
          )
      }
    }),
    { numRuns: 1_000 },
  )
  assert.throws(() => base58.encode(new Uint8Array(2049)), RangeError)
  assert.throws(() => base58.decode('2'.repeat(4097)), RangeError)
})

test('addresses of Bitcoin in bech32 and bech32m are written as by another library', () => {
  fc.assert(
    fc.property(fc.constantFrom('bc', 'tb', 'bcrt'), fc.uint8Array({ maxLength: 40 }), (prefix, program) => {
      for (const [one, other] of [
        [bech32, scure.bech32],
        [bech32m, scure.bech32m],
      ] as const) {
        assert.deepEqual(one.toWords(program), other.toWords(program))
        const words = [1, ...one.toWords(program)]
        assert.equal(one.encode(prefix, words), other.encode(prefix, words))
      }
    }),
    { numRuns: 500 },
  )
})
