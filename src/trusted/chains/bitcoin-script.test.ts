import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { taprootSecret } from '../crypto/schnorr.ts'
import { generateSecp256k1Secret } from '../crypto/secp256k1.ts'
import { seededBytes } from '../crypto/testing/vectors.ts'
import { taprootOutputKey } from './bitcoin-script.ts'

test('a tweaked secret is that of the output key of its address, for points of either parity', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const secret = generateSecp256k1Secret(seededBytes(seed))
      const outputKey = taprootOutputKey(secp256k1.getPublicKey(secret, true))
      assert.deepEqual(Buffer.from(schnorr.getPublicKey(taprootSecret(secret))), Buffer.from(outputKey))
    }),
    { numRuns: 40 },
  )
})
