import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Bug } from '../base/assert.ts'
import { toHex, utf8 } from '../base/bytes.ts'
import { open, seal } from './aead.ts'
import { aesKey, gcmDecrypt, gcmEncrypt } from './aes-gcm.ts'
import { hex, vectorTest, type Wycheproof } from './testing/vectors.ts'

const key = aesKey(hex('0f'.repeat(32)))
const nonces = () => fc.uint8Array({ minLength: 12, maxLength: 12 })
const bytes = () => fc.uint8Array({ maxLength: 100 })

test('what was sealed opens, under the same key and data only', () => {
  fc.assert(
    fc.property(nonces(), bytes(), bytes(), (nonce, aad, plaintext) => {
      const sealed = seal({ key, nonce, aad, plaintext })
      assert.equal(sealed.length, 12 + plaintext.length + 16)
      assert.equal(toHex(open({ key, aad, sealed }) ?? utf8('did not open')), toHex(plaintext))
      assert.equal(open({ key, aad: Buffer.concat([aad, Buffer.of(0)]), sealed }), undefined)
      assert.equal(open({ key: aesKey(hex('0e'.repeat(32))), aad, sealed }), undefined)
    }),
  )
})

test('no flipped bit, cut or addition opens', () => {
  const aad = utf8('organization, object, purpose')
  const sealed = seal({
    key,
    nonce: hex('00'.repeat(12)),
    aad,
    plaintext: utf8('32 bytes of a private key, sealed'),
  })
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const altered = Buffer.from(sealed)
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.equal(open({ key, aad, sealed: altered }), undefined)
  }
  for (let length = 0; length < sealed.length; length++) {
    assert.equal(open({ key, aad, sealed: sealed.subarray(0, length) }), undefined)
  }
  assert.equal(open({ key, aad, sealed: Buffer.concat([sealed, Buffer.of(0)]) }), undefined)
})

test('any bytes open or are refused, and nothing is thrown', () => {
  fc.assert(fc.property(bytes(), (sealed) => assert.equal(open({ key, aad: utf8(''), sealed }), undefined)))
})

test('a key or nonce of another length is a bug', () => {
  assert.throws(() => aesKey(hex('0f'.repeat(16))), Bug)
  assert.throws(() => seal({ key, nonce: hex('00'.repeat(16)), aad: utf8(''), plaintext: utf8('') }), Bug)
})

type Group = { readonly keySize: number; readonly ivSize: number }
type Case = {
  readonly key: string
  readonly iv: string
  readonly aad: string
  readonly msg: string
  readonly ct: string
  readonly tag: string
}

vectorTest<Wycheproof<Group, Case>>(
  'Wycheproof, AES-GCM with keys of 256 bits and nonces of 96: every verdict is ours',
  'wycheproof/aes_gcm_test.json',
  ({ testGroups }) => {
    let count = 0
    for (const group of testGroups.filter(({ keySize, ivSize }) => keySize === 256 && ivSize === 96)) {
      for (const { tcId, key: keyHex, iv, aad, msg, ct, tag, result } of group.tests) {
        const inputs = { key: aesKey(hex(keyHex)), nonce: hex(iv), aad: hex(aad) }
        const plaintext = gcmDecrypt({ ...inputs, ciphertext: hex(ct + tag) })
        assert.equal(plaintext && toHex(plaintext), result === 'valid' ? msg : undefined, `case ${tcId}`)
        if (result === 'valid') {
          assert.equal(toHex(gcmEncrypt({ ...inputs, plaintext: hex(msg) })), ct + tag, `case ${tcId}`)
        }
        count++
      }
    }
    assert.equal(count, 66)
  },
)
