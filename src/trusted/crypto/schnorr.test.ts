import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { schnorr } from '@noble/curves/secp256k1.js'
import { vectorText } from '../../../test/support/vectors.ts'
import { present } from '../base/assert.ts'
import { generateSecp256k1Secret } from './secp256k1.ts'
import { nativeBackend, nobleBackend } from './secp256k1-backend.ts'
import { signSchnorr, taprootSecret } from './schnorr.ts'
import { hex, seededBytes, vectorTest } from './testing/vectors.ts'

const BIP340_CASES = 19

test('every BIP-340 vector that signs without auxiliary randomness is signed to the byte, and the others verify under its key', () => {
  const rows = vectorText('bips/bip-0340-test-vectors.csv').trim().split(/\r?\n/).slice(1)
  assert.equal(rows.length, BIP340_CASES)
  let exact = 0
  for (const row of rows) {
    const [, secret = '', publicKey = '', aux = '', message = '', signature = ''] = row.split(',')
    if (secret === '' || message.length !== 64) continue
    const { r, s } = signSchnorr(hex(secret), hex(message), hex(publicKey))
    assert.ok(schnorr.verify(hex(r + s), hex(message), hex(publicKey)))
    if (/^0+$/.test(aux)) {
      exact++
      assert.equal((r + s).toUpperCase(), signature.toUpperCase())
    }
  }
  assert.ok(exact > 0)
})

type KeyPath = {
  readonly keyPathSpending: readonly {
    readonly inputSpending: readonly {
      readonly given: { readonly internalPrivkey: string; readonly merkleRoot: string | null }
      readonly intermediary: { readonly tweakedPrivkey: string; readonly sigHash: string }
      readonly expected: { readonly witness: readonly [string] }
    }[]
  }[]
}

vectorTest<KeyPath>(
  'every key path spend of BIP-341 is tweaked and signed to the byte',
  'bips/bip-0341-wallet-test-vectors.json',
  ({ keyPathSpending }) => {
    const cases = keyPathSpending.flatMap((item) => item.inputSpending)
    assert.equal(cases.length, 7)
    for (const { given, intermediary, expected } of cases) {
      const root = given.merkleRoot === null ? undefined : hex(given.merkleRoot)
      const secret = taprootSecret(hex(given.internalPrivkey), root)
      assert.deepEqual(Buffer.from(secret), hex(intermediary.tweakedPrivkey))
      const publicKey = schnorr.getPublicKey(secret)
      const { r, s, v } = signSchnorr(secret, hex(intermediary.sigHash), publicKey)
      assert.equal(r + s, expected.witness[0].slice(0, 128))
      assert.equal(v, '00')
    }
  },
)

test('the library and the noble one sign every payload to the same bytes, and verify the same', {
  skip: nativeBackend === undefined ? 'there is no library here' : false,
}, () => {
  const native = present(nativeBackend, 'the library').schnorr
  const bytes = seededBytes(3)
  for (let round = 0; round < 100; round++) {
    const secret = generateSecp256k1Secret(bytes)
    const digest = bytes(32)
    const publicKey = schnorr.getPublicKey(secret)
    const before = Buffer.from(secret)
    const rs = native.sign(digest, secret)
    assert.deepEqual(Buffer.from(secret), before)
    assert.deepEqual(Buffer.from(rs), Buffer.from(nobleBackend.schnorr.sign(digest, secret)))
    assert.ok(native.verify(rs, digest, publicKey))
    for (const [at, signed] of [rs, rs, digest, publicKey].entries()) {
      const changed = Uint8Array.from(signed)
      const place = at === 1 ? 40 : 3
      changed[place] = (changed[place] ?? 0) ^ 1
      const [a, b, c] =
        at < 2 ? [changed, digest, publicKey] : at === 2 ? [rs, changed, publicKey] : [rs, digest, changed]
      assert.equal(native.verify(a, b, c), false)
    }
  }
})

test('every verdict of the vectors of BIP-340 is the verdict of the library', {
  skip: nativeBackend === undefined ? 'there is no library here' : false,
}, () => {
  const rows = vectorText('bips/bip-0340-test-vectors.csv').trim().split(/\r?\n/).slice(1)
  let cases = 0
  for (const row of rows) {
    const [, , publicKey = '', , message = '', signature = '', verdict] = row.split(',')
    if (message.length !== 64) continue
    cases++
    const verified = nativeBackend?.schnorr.verify(hex(signature), hex(message), hex(publicKey))
    assert.equal(verified, verdict === 'TRUE', row)
  }
  assert.equal(cases, 15)
})

test('a signature leaves nothing of the secret in the memory that Node hands out again', {
  skip: nativeBackend === undefined ? 'there is no library here' : false,
}, () => {
  const native = present(nativeBackend, 'the library').schnorr
  const tag = hash('sha256', 'BIP0340/aux', 'buffer')
  const mask = hash('sha256', Buffer.concat([tag, tag, Buffer.alloc(32)]), 'buffer')
  const bytes = seededBytes(6)
  for (let round = 0; round < 10; round++) {
    const secret = generateSecp256k1Secret(bytes)
    const negated = nobleBackend.negated(secret)
    native.sign(bytes(32), secret)
    const pool = Buffer.from(Buffer.allocUnsafe(8).buffer)
    for (const one of [secret, negated])
      for (const left of [one, one.map((byte, at) => byte ^ (mask[at] ?? 0))])
        assert.equal(pool.indexOf(left), -1)
  }
})

test('a signature under another key than the one named is never returned', () => {
  const secret = generateSecp256k1Secret(seededBytes(1))
  const other = schnorr.getPublicKey(generateSecp256k1Secret(seededBytes(2)))
  assert.throws(() => signSchnorr(secret, new Uint8Array(32), other), { name: 'Bug' })
})

test('the secret of a taproot output key is met by the backend that signs, and both give the same', () => {
  const bytes = seededBytes(5)
  const backends = [nobleBackend, nativeBackend ?? nobleBackend]
  const met = new Set<string>()
  for (let round = 0; round < 20; round++) {
    const secret = generateSecp256k1Secret(bytes)
    const before = Buffer.from(secret)
    const [one, other] = backends.map((backend, at) =>
      taprootSecret(secret, undefined, {
        ...backend,
        publicKeyOf: (of, isCompressed) => {
          met.add(`${at} publicKeyOf`)
          return backend.publicKeyOf(of, isCompressed)
        },
        negated: (of) => {
          met.add(`${at} negated`)
          return backend.negated(of)
        },
      }),
    )
    assert.deepEqual(Buffer.from(one ?? []), Buffer.from(other ?? []))
    assert.deepEqual(Buffer.from(secret), before)
  }
  assert.deepEqual([...met].toSorted(), ['0 negated', '0 publicKeyOf', '1 negated', '1 publicKeyOf'])
})
