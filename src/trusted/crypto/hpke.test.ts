import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import fc from 'fast-check'
import { Bug } from '../base/assert.ts'
import { concat, toHex, utf8 } from '../base/bytes.ts'
import { open, seal } from './hpke.ts'
import { isP256Secret, p256UncompressedKeyOf } from './p256.ts'
import { hex, vectorTest } from './testing/vectors.ts'

const secrets = () => fc.uint8Array({ minLength: 32, maxLength: 32 }).filter(isP256Secret)
const bytes = () => fc.uint8Array({ maxLength: 100 })
const receiver = hex('09'.repeat(32))
const receiverPublic = p256UncompressedKeyOf(receiver)
const ephemeral = hex('06'.repeat(32))

test('what was sealed opens, for its receiver, info and data only', () => {
  fc.assert(
    fc.property(secrets(), secrets(), bytes(), bytes(), bytes(), (secret, once, info, data, plaintext) => {
      const sealed = seal({
        receiver: p256UncompressedKeyOf(secret),
        info,
        aad: () => data,
        plaintext,
        ephemeral: once,
      })
      const asSent = { receiver: secret, info, aad: () => data, ...sealed }
      assert.equal(toHex(open(asSent) ?? utf8('did not open')), toHex(plaintext))
      assert.equal(open({ ...asSent, receiver: once }), undefined)
      assert.equal(open({ ...asSent, info: concat(info, Uint8Array.of(0)) }), undefined)
      assert.equal(open({ ...asSent, aad: () => concat(data, Uint8Array.of(0)) }), undefined)
    }),
    { numRuns: 30 },
  )
})

test('no flipped bit of the encapsulated key or the ciphertext opens', () => {
  const info = utf8('info')
  const sealed = seal({
    receiver: receiverPublic,
    info,
    aad: () => utf8(''),
    plaintext: utf8('hello'),
    ephemeral,
  })
  for (const field of ['encappedPublic', 'ciphertext'] as const) {
    for (let bit = 0; bit < sealed[field].length * 8; bit++) {
      const altered = Buffer.from(sealed[field])
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const opened = open({ receiver, info, aad: () => utf8(''), ...sealed, [field]: altered })
      assert.equal(opened, undefined, `${field}, bit ${bit}`)
    }
  }
})

test('an encapsulated key that is not an uncompressed point is refused', () => {
  const point = p256UncompressedKeyOf(ephemeral)
  const isOdd = ((point[64] ?? 0) & 1) === 1
  const bad = [
    new Uint8Array(0),
    Uint8Array.of(0),
    Uint8Array.of(isOdd ? 3 : 2, ...point.subarray(1, 33)),
    Uint8Array.of(isOdd ? 7 : 6, ...point.subarray(1)),
    Uint8Array.of(4, ...new Uint8Array(64)),
    concat(point, Uint8Array.of(0)),
  ]
  const rest = { receiver, info: utf8('info'), aad: () => utf8(''), ciphertext: new Uint8Array(32) }
  for (const encappedPublic of bad) assert.equal(open({ ...rest, encappedPublic }), undefined)
})

test('sealing to something that is not a point is a bug', () => {
  const off = Uint8Array.from(receiverPublic)
  off[64] = (off[64] ?? 0) ^ 1
  assert.throws(
    () => seal({ receiver: off, info: utf8(''), aad: () => utf8(''), plaintext: utf8(''), ephemeral }),
    Bug,
  )
})

test('another implementation opens what we seal, and we open what it seals', async () => {
  const suite = new CipherSuite({
    kem: new DhkemP256HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes256Gcm(),
  })
  const info = utf8('turnkey_hpke')
  const data = utf8('bound')
  const ours = seal({ receiver: receiverPublic, info, aad: () => data, plaintext: utf8('ours'), ephemeral })
  const recipientKey = await suite.kem.importKey('raw', Uint8Array.from(receiver).buffer, false)
  const opened = await suite.open({ recipientKey, info, enc: ours.encappedPublic }, ours.ciphertext, data)
  assert.equal(Buffer.from(opened).toString(), 'ours')

  const recipientPublicKey = await suite.kem.importKey('raw', Uint8Array.from(receiverPublic).buffer, true)
  const theirs = await suite.seal({ recipientPublicKey, info }, utf8('theirs'), data)
  const plaintext = open({
    receiver,
    encappedPublic: new Uint8Array(theirs.enc),
    info,
    aad: () => data,
    ciphertext: new Uint8Array(theirs.ct),
  })
  assert.equal(Buffer.from(plaintext ?? []).toString(), 'theirs')
})

type Suite = {
  mode: number
  kem_id: number
  kdf_id: number
  aead_id: number
  info: string
  skRm: string
  skEm: string
  pkRm: string
  enc: string
  encryptions: { aad: string; ct: string; pt: string }[]
}

vectorTest<Suite[]>(
  'RFC 9180, base mode of our suite: the first message is ours to the letter',
  'hpke/vectors_rfc9180.json',
  (suites) => {
    const known = suites.filter(
      ({ mode, kem_id, kdf_id, aead_id }) => mode === 0 && kem_id === 16 && kdf_id === 1 && aead_id === 2,
    )
    assert.equal(known.length, 1)
    for (const { info, skRm, skEm, pkRm, enc, encryptions } of known) {
      const [first] = encryptions
      assert.ok(first)
      const common = { info: hex(info), aad: () => hex(first.aad) }
      const sealed = seal({ ...common, receiver: hex(pkRm), plaintext: hex(first.pt), ephemeral: hex(skEm) })
      assert.equal(toHex(sealed.encappedPublic), enc)
      assert.equal(toHex(sealed.ciphertext), first.ct)
      const opened = open({
        ...common,
        receiver: hex(skRm),
        encappedPublic: hex(enc),
        ciphertext: hex(first.ct),
      })
      assert.equal(opened && toHex(opened), first.pt)
    }
  },
)

type Kats = {
  keys: {
    receiver: { privateKey: string; publicKeyUncompressed: string }
    hpkeEphemeral: { privateKey: string }
  }
  hpke: { info: string; plaintext: string; aad: string; encappedPublic: string; ciphertext: string }
}

vectorTest<Kats>(
  'the known message of the interface is ours to the letter',
  'facts/crypto-kats.json',
  (kats) => {
    const { receiver: to, hpkeEphemeral } = kats.keys
    const receiverKey = hex(to.publicKeyUncompressed)
    const sealed = seal({
      receiver: receiverKey,
      info: utf8(kats.hpke.info),
      aad: (encapped) => concat(encapped, receiverKey),
      plaintext: hex(kats.hpke.plaintext),
      ephemeral: hex(hpkeEphemeral.privateKey),
    })
    assert.equal(toHex(sealed.encappedPublic), kats.hpke.encappedPublic)
    assert.equal(toHex(sealed.ciphertext), kats.hpke.ciphertext)
    assert.equal(toHex(concat(sealed.encappedPublic, receiverKey)), kats.hpke.aad)
  },
)
