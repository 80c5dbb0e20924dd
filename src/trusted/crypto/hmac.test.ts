import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { toHex, utf8 } from '../base/bytes.ts'
import { hmacKey, hmacSha256, hmacSha512, verifyHmacSha256 } from './hmac.ts'
import { hex, vectorTest, type Wycheproof } from './testing/vectors.ts'

test('parts are hashed one after the other', () => {
  const key = hmacKey(utf8('key'))
  assert.equal(toHex(hmacSha256(key, utf8('ab'), utf8('c'))), toHex(hmacSha256(key, utf8('abc'))))
})

test('a tag of another length does not verify', () => {
  const key = hmacKey(utf8('key'))
  const tag = hmacSha256(key, utf8('abc'))
  assert.ok(verifyHmacSha256(key, utf8('abc'), tag))
  assert.ok(!verifyHmacSha256(key, utf8('abc'), tag.subarray(0, 31)))
  assert.ok(!verifyHmacSha256(key, utf8('abc'), Buffer.concat([tag, Buffer.of(0)])))
  assert.ok(!verifyHmacSha256(key, utf8('abc'), new Uint8Array(0)))
})

type Group = { readonly tagSize: number }
type Case = { readonly key: string; readonly msg: string; readonly tag: string }

vectorTest<Wycheproof<Group, Case>>(
  'Wycheproof, HMAC-SHA256: every verdict is ours',
  'wycheproof/hmac_sha256_test.json',
  ({ testGroups }) => {
    for (const { tagSize, tests } of testGroups) {
      for (const { tcId, key, msg, tag, result } of tests) {
        const mac = hmacSha256(hmacKey(hex(key)), hex(msg))
        assert.equal(toHex(mac.subarray(0, tagSize / 8)) === tag, result === 'valid', `case ${tcId}`)
        // Shortened tags are not ours: only the whole one may verify.
        const isWhole = tagSize === 256 && result === 'valid'
        assert.equal(verifyHmacSha256(hmacKey(hex(key)), hex(msg), hex(tag)), isWhole, `case ${tcId}`)
      }
    }
  },
)

test('HMAC-SHA512 by two hashes is that of OpenSSL, for keys and messages of any length', () => {
  for (const keyLength of [0, 1, 12, 32, 64, 127, 128])
    for (const length of [0, 1, 37, 64, 111, 112, 1_000]) {
      const [key, message] = [Buffer.alloc(keyLength, 0xa5), Buffer.alloc(length, 0x3c)]
      const expected = createHmac('sha512', key).update(message).digest('hex')
      assert.equal(toHex(hmacSha512(key, message)), expected, `${keyLength} and ${length} bytes`)
    }
  assert.throws(() => hmacSha512(new Uint8Array(129), new Uint8Array(0)), /longer key/)
})

// RFC 4231, section 4.3.
test('HMAC-SHA512 of the RFC', () => {
  assert.equal(
    toHex(hmacSha512(utf8('Jefe'), utf8('what do ya want for nothing?'))),
    '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
  )
})
