import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex, utf8 } from '../base/bytes.ts'
import { hmacKey, hmacSha256, verifyHmacSha256 } from './hmac.ts'
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
