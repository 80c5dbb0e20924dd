import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyTurnkeyWebhookSignature } from '@turnkey/crypto'
import fc from 'fast-check'
import { utf8 } from '../base/bytes.ts'
import { ed25519PublicKeyOf } from './ed25519.ts'
import { hex, vectorTest } from './testing/vectors.ts'
import { signWebhook } from './webhook-signature.ts'

const seed = hex('cd'.repeat(32))
const attempt = { keyId: 'whk_1', timestampMs: 1_767_225_600_000, eventId: 'e-1', body: utf8('{"n":1}') }

function verified(sent: typeof attempt, signature: string) {
  return verifyTurnkeyWebhookSignature({
    headers: {
      'X-Turnkey-Timestamp': String(sent.timestampMs),
      'X-Turnkey-Event-Id': sent.eventId,
      'X-Turnkey-Signature-Key-Id': sent.keyId,
      'X-Turnkey-Signature-Algorithm': 'ed25519',
      'X-Turnkey-Signature-Version': 'v1',
      'X-Turnkey-Signature': signature,
    },
    body: sent.body,
    verificationKeys: [{ keyId: sent.keyId, publicKey: ed25519PublicKeyOf(seed) }],
    maxTimestampAgeMs: 1000,
    nowMs: sent.timestampMs,
  })
}

test('a published client verifies a webhook, for any body', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (body) => {
      const sent = { ...attempt, body }
      assert.equal(verified(sent, signWebhook(sent, seed)).ok, true)
    }),
    { numRuns: 20 },
  )
})

test('a published client refuses a webhook of which anything was changed', () => {
  const signature = signWebhook(attempt, seed)
  const others = [
    { ...attempt, body: utf8('{"n":2}') },
    { ...attempt, eventId: 'e-2' },
    { ...attempt, keyId: 'whk_2' },
    { ...attempt, timestampMs: attempt.timestampMs + 1 },
  ]
  for (const other of others) assert.equal(verified(other, signature).ok, false)
})

type Kats = {
  readonly keys: { readonly webhookEd25519Seed?: { readonly seed: string } }
  readonly webhook: {
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly publicKey: string
  }
}

vectorTest<Kats>(
  'the known webhook is signed over the same bytes',
  'facts/crypto-kats.json',
  ({ keys, webhook }) => {
    const result = verifyTurnkeyWebhookSignature({
      headers: { ...webhook.headers },
      body: webhook.body,
      verificationKeys: [{ keyId: 'whk_test', publicKey: webhook.publicKey }],
      maxTimestampAgeMs: 1000,
      nowMs: Number(webhook.headers['X-Turnkey-Timestamp']),
    })
    assert.equal(result.ok, true)
    const knownSeed = keys.webhookEd25519Seed?.seed
    assert.ok(knownSeed !== undefined)
    const ours = signWebhook(
      {
        keyId: webhook.headers['X-Turnkey-Signature-Key-Id'] ?? '',
        timestampMs: Number(webhook.headers['X-Turnkey-Timestamp']),
        eventId: webhook.headers['X-Turnkey-Event-Id'] ?? '',
        body: utf8(webhook.body),
      },
      hex(knownSeed),
    )
    assert.equal(ours, webhook.headers['X-Turnkey-Signature'])
  },
)
