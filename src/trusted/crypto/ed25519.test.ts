import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { Bug } from '../base/assert.ts'
import { toHex, utf8 } from '../base/bytes.ts'
import {
  ed25519PublicKeyOf,
  ed25519Signer,
  ed25519SignerBy,
  ed25519VerifyKey,
  readEd25519Key,
  verifyEd25519,
} from './ed25519.ts'
import { type Ed25519Backend, opensslBackend, sodiumBackend } from './ed25519-backend.ts'
import { hex, vectorTest, type Wycheproof } from './testing/vectors.ts'

const bytes32 = () => fc.uint8Array({ minLength: 32, maxLength: 32 })

const backends = sodiumBackend === undefined ? [opensslBackend] : [opensslBackend, sodiumBackend]

test('keys and signatures of both backends are those of another implementation', () => {
  fc.assert(
    fc.property(bytes32(), fc.uint8Array({ maxLength: 200 }), (seed, message) => {
      for (const backend of backends) {
        const { publicKey, sign, signAll } = ed25519SignerBy(backend)(seed)
        const { r, s, v } = sign(message)
        assert.equal(r + s, toHex(ed25519.sign(message, seed)))
        assert.equal(v, '00')
        assert.deepEqual(signAll([message, seed]), [{ r, s, v }, sign(seed)])
        assert.equal(publicKey, toHex(ed25519.getPublicKey(seed)))
        assert.equal(toHex(backend.publicKeyOf(seed)), publicKey)
      }
    }),
    { numRuns: 30 },
  )
})

test('libsodium is there where its package brings a binary', () => {
  const isBrought = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
  if (isBrought) assert.ok(sodiumBackend)
})

test('a seed does not sign for a key that is not its own', () => {
  for (const backend of backends) {
    const signer = ed25519SignerBy(backend)(hex('01'.repeat(32)), ed25519PublicKeyOf(hex('02'.repeat(32))))
    assert.throws(() => signer.sign(utf8('hello')), Bug)
  }
})

test('a signature that a fault has made wrong in any bit is never returned', () => {
  const seed = hex('07'.repeat(32))
  for (const backend of backends)
    for (let bit = 0; bit < 512; bit++) {
      const faulty: Ed25519Backend = {
        ...backend,
        sign: (messages, secret) =>
          backend.sign(messages, secret).map((signature) => flipped(signature, bit)),
      }
      assert.throws(() => ed25519SignerBy(faulty)(seed).sign(utf8('hello')), Bug, `bit ${bit}`)
    }
})

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  return bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
}

test('a seed that is not 32 bytes is refused', () => {
  for (const length of [0, 31, 33, 64]) assert.throws(() => ed25519PublicKeyOf(new Uint8Array(length)), Bug)
})

test('a public key reads back in either case', () => {
  fc.assert(
    fc.property(bytes32(), (seed) => {
      const key = ed25519PublicKeyOf(seed)
      assert.equal(readEd25519Key(key.toUpperCase()), key)
    }),
    { numRuns: 10 },
  )
})

test('any text reads as a key of the prime-order subgroup or not at all', () => {
  const almost = bytes32().map(toHex)
  fc.assert(
    fc.property(fc.oneof(fc.string(), almost), (text) => {
      const key = readEd25519Key(text)
      if (key !== undefined) assert.equal(ed25519.Point.fromHex(key, false).toHex(), key)
    }),
    { numRuns: 60 },
  )
})

test('what is not 64 hex digits is no key', () => {
  const key = ed25519PublicKeyOf(hex('07'.repeat(32)))
  for (const text of ['', key.slice(2), `${key}00`, `0x${key}`, `${key.slice(0, 63)}g`]) {
    assert.equal(readEd25519Key(text), undefined)
    assert.equal(ed25519VerifyKey(text), undefined)
  }
})

type WycheproofKey = { readonly publicKey: { readonly pk: string } }

vectorTest<Wycheproof<WycheproofKey, { readonly msg: string; readonly sig: string }>>(
  'Wycheproof, Ed25519: every verdict is ours',
  'wycheproof/ed25519_test.json',
  ({ testGroups }) => {
    for (const group of testGroups) {
      const key = ed25519VerifyKey(group.publicKey.pk)
      assert.ok(key)
      for (const { tcId, msg, sig, result, comment } of group.tests) {
        assert.equal(verifyEd25519(key, hex(msg), hex(sig)), result === 'valid', `case ${tcId}: ${comment}`)
      }
    }
  },
)

type EdgeCase = {
  readonly number: number
  readonly key: string
  readonly sig: string
  readonly msg: string
  readonly flags: readonly string[] | null
}

vectorTest<readonly EdgeCase[]>(
  'each edge case has the verdict that docs/decisions/ed25519-edge-cases.md gives it',
  'cctv/ed25519vectors.json',
  (cases) => {
    assert.equal(cases.length, 914)
    const keyClasses = ['non_canonical_A', 'low_order_A', 'low_order_component_A']
    const opensslClasses = [
      'non_canonical_A',
      'low_order_A',
      'non_canonical_R',
      'low_order_R',
      'low_order_residue',
      'reencoded_k',
    ]
    const readable = new Map<string, boolean>()
    let accepted = 0
    let acceptedByOpenssl = 0
    for (const { number, key, sig, msg, flags } of cases) {
      if (!readable.has(key)) readable.set(key, readEd25519Key(key) !== undefined)
      const isRead = readable.get(key) === true
      const verifyKey = ed25519VerifyKey(key)
      assert.ok(verifyKey)
      const verifies = verifyEd25519(verifyKey, utf8(msg), hex(sig))
      const has = (classes: readonly string[]) => classes.some((name) => flags?.includes(name))
      assert.equal(isRead, !has(keyClasses), `case ${number}: the key`)
      assert.equal(verifies, !has(opensslClasses), `case ${number}: the signature`)
      if (verifies) acceptedByOpenssl++
      if (verifies && isRead) accepted++
    }
    assert.equal(acceptedByOpenssl, 43)
    assert.equal(accepted, 1)
  },
)

type Stamp = { body: string; json: { publicKey: string; signature: string } }
type RawPayload = { curve: string; payload: string; r: string; s: string; v: string }
type Kats = { stamps: { ED25519: Stamp }; signRawPayload: RawPayload[] }

vectorTest<Kats>(
  'known stamps verify and known payloads are signed to the letter',
  'facts/crypto-kats.json',
  (kats) => {
    const { body, json } = kats.stamps.ED25519
    const key = ed25519VerifyKey(json.publicKey)
    assert.ok(key)
    assert.ok(verifyEd25519(key, utf8(body), hex(json.signature)))
    assert.ok(!verifyEd25519(key, utf8(`${body} `), hex(json.signature)))
    const signer = ed25519Signer(hex('a01c67efb5cb8f62f15907a9fcf124c73d2695c8a9a31f21c05742a31ca1dc72'))
    const known = kats.signRawPayload.filter(({ curve }) => curve === 'CURVE_ED25519')
    assert.equal(known.length, 1)
    for (const { payload, r, s, v } of known) assert.deepEqual(signer.sign(hex(payload)), { r, s, v })
  },
)
