import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decryptCredentialBundle } from '@turnkey/crypto'
import fc from 'fast-check'
import { present } from '../base/assert.ts'
import { toHex } from '../base/bytes.ts'
import { credentialBundle } from './bundles.ts'
import { generateP256Secret, p256PublicKeyOf, readP256Key } from './p256.ts'
import { hex, seededBytes, vectorTest } from './testing/vectors.ts'

test('a published client opens a credential, for any receiver and secret', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = seededBytes(seed)
      const receiver = generateP256Secret(random)
      const secret = generateP256Secret(random)
      const key = present(readP256Key(p256PublicKeyOf(receiver)), 'a key')
      const bundle = credentialBundle(secret, key, random)
      assert.equal(decryptCredentialBundle(bundle, toHex(receiver)), toHex(secret))
      assert.throws(() => decryptCredentialBundle(bundle, toHex(secret)))
    }),
    { numRuns: 10 },
  )
})

type Kats = {
  readonly keys: Readonly<Record<string, { readonly privateKey: string }>>
  readonly credentialBundle: readonly {
    readonly source: string
    readonly bundle: string
    readonly receiver: string
    readonly plaintext: string
  }[]
}

vectorTest<Kats>('the known credential is ours to the letter', 'facts/crypto-kats.json', (kats) => {
  const known = present(
    kats.credentialBundle.find(({ source }) => source.startsWith('constructed')),
    'the constructed one',
  )
  const receiver = hex(present(kats.keys[known.receiver], 'the receiver').privateKey)
  const key = present(readP256Key(p256PublicKeyOf(receiver)), 'a key')
  const made = credentialBundle(hex(known.plaintext), key, () => Buffer.from('66'.repeat(32), 'hex'))
  assert.equal(made, known.bundle)
})
