import assert from 'node:assert/strict'
import { hkdfSync } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { Bug } from '../base/assert.ts'
import { toHex } from '../base/bytes.ts'
import { hkdfSha256 } from './hkdf.ts'
import { hex, vectorTest, type Wycheproof } from './testing/vectors.ts'

test('the bytes are those of another implementation, for any length', () => {
  const bytes = fc.uint8Array({ maxLength: 80 })
  fc.assert(
    fc.property(bytes, bytes, bytes, fc.integer({ min: 1, max: 200 }), (ikm, salt, info, length) => {
      const theirs = new Uint8Array(hkdfSync('sha256', ikm, salt, info, length))
      assert.equal(toHex(hkdfSha256({ ikm, salt, info, length })), toHex(theirs))
    }),
  )
})

type Case = {
  readonly ikm: string
  readonly salt: string
  readonly info: string
  readonly size: number
  readonly okm: string
}

vectorTest<Wycheproof<object, Case>>(
  'Wycheproof, HKDF-SHA256: every output is ours, and too long a one is a bug',
  'wycheproof/hkdf_sha256_test.json',
  ({ testGroups }) => {
    for (const { tests } of testGroups) {
      for (const { tcId, ikm, salt, info, size, okm, result } of tests) {
        const derive = () => hkdfSha256({ ikm: hex(ikm), salt: hex(salt), info: hex(info), length: size })
        if (result === 'valid') assert.equal(toHex(derive()), okm, `case ${tcId}`)
        else assert.throws(derive, Bug, `case ${tcId}`)
      }
    }
  },
)
