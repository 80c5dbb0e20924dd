import assert from 'node:assert/strict'
import { toHex } from '../base/bytes.ts'
import { p256KeyPair, p256SharedX } from './p256-ecdh.ts'
import { hex, vectorTest, type Wycheproof } from './testing/vectors.ts'

type Case = { readonly public: string; readonly private: string; readonly shared: string }

vectorTest<Wycheproof<object, Case>>(
  'Wycheproof, ECDH P-256: every shared secret is ours, no invalid point gives one, nor does a compressed one',
  'wycheproof/ecdh_secp256r1_ecpoint_test.json',
  ({ testGroups }) => {
    for (const { tests } of testGroups) {
      for (const { tcId, public: point, private: secret, shared, result } of tests) {
        const x = p256SharedX(p256KeyPair(hex(secret.padStart(64, '0').slice(-64))), hex(point))
        assert.equal(x && toHex(x), result === 'valid' ? shared : undefined, `case ${tcId}`)
      }
    }
  },
)
