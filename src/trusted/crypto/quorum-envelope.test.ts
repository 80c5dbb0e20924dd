import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encryptOauth2ClientSecret } from '@turnkey/crypto'
import fc from 'fast-check'
import { toHex } from '../base/bytes.ts'
import { Failure } from '../base/failure.ts'
import { p256UncompressedKeyOf } from './p256.ts'
import { openQuorumEnvelope } from './quorum-envelope.ts'
import { hex, vectorTest } from './testing/vectors.ts'

const secret = hex('44'.repeat(32))
const receiver = toHex(p256UncompressedKeyOf(secret))

const opens = (envelope: string, key = secret): boolean => {
  try {
    openQuorumEnvelope(envelope, [key])
    return true
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    assert.equal(error.kind, 'quorumEnvelopeNotOpened')
    return false
  }
}

test('what a published client encrypted opens, for any text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      const envelope = await encryptOauth2ClientSecret(text, receiver)
      assert.equal(Buffer.from(openQuorumEnvelope(envelope, [secret])).toString(), text)
    }),
    { numRuns: 10 },
  )
})

test('an envelope that was altered anywhere, cut, extended or made for another key does not open', async () => {
  const envelope = await encryptOauth2ClientSecret('client-secret', receiver)
  assert.ok(opens(envelope))
  assert.ok(!opens(envelope, hex('45'.repeat(32))))
  const bytes = Buffer.from(envelope, 'hex')
  for (let at = 0; at < bytes.length; at++) {
    const altered = Buffer.from(bytes)
    altered[at] = (altered[at] ?? 0) ^ 1
    assert.ok(!opens(toHex(altered)), `byte ${at}`)
    assert.ok(!opens(toHex(bytes.subarray(0, at))), `cut at ${at}`)
  }
  assert.ok(!opens(`${envelope}00`))
  assert.ok(!opens(`0x${envelope}`))
})

test('any text fails cleanly', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.uint8Array({ maxLength: 200 }).map(toHex)), (text) => {
      assert.ok(!opens(text))
    }),
  )
})

type Kats = { readonly quorumEnvelope: { readonly envelopeHex: string; readonly plaintextUtf8: string } }

vectorTest<Kats>('the known envelope opens', 'facts/crypto-kats.json', ({ quorumEnvelope }) => {
  const opened = openQuorumEnvelope(quorumEnvelope.envelopeHex, [secret])
  assert.equal(Buffer.from(opened).toString(), quorumEnvelope.plaintextUtf8)
})
