import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyTurnkeyWebhookSignature } from '@turnkey/crypto'
import fc from 'fast-check'
import { utf8 } from '../base/bytes.ts'
import { ed25519Signer } from './ed25519.ts'
import { hex, vectorTest } from './vectors-for-tests.ts'
import { signWebhook } from './webhook-signature.ts'

const signer = ed25519Signer(hex('cd'.repeat(32)))
const attempt = { keyId: 'whk_1', timestampMs: 1_767_225_600_000, eventId: 'e-1', body: utf8('{"n":1}') }

function verified(sent: typeof attempt, signature: string): Promise<{ readonly ok: boolean }> {
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
    verificationKeys: [{ keyId: sent.keyId, publicKey: signer.publicKey }],
    maxTimestampAgeMs: 1000,
    nowMs: sent.timestampMs,
  })
}

test('a published client verifies a webhook, for any body', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (body) => {
      const sent = { ...attempt, body }
      assert.equal((await verified(sent, signWebhook(sent, signer))).ok, true)
    }),
    { numRuns: 20 },
  )
})

test('a published client refuses a webhook of which anything was changed', async () => {
  const signature = signWebhook(attempt, signer)
  const others = [
    { ...attempt, body: utf8('{"n":2}') },
    { ...attempt, eventId: 'e-2' },
    { ...attempt, keyId: 'whk_2' },
    { ...attempt, timestampMs: attempt.timestampMs + 1 },
  ]
  for (const other of others) assert.equal((await verified(other, signature)).ok, false)
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
  1,
  async ({ keys, webhook }) => {
    const result = await verifyTurnkeyWebhookSignature({
      headers: { ...webhook.headers },
      body: webhook.body,
      verificationKeys: [{ keyId: 'whk_test', publicKey: webhook.publicKey }],
      maxTimestampAgeMs: 1000,
      nowMs: Number(webhook.headers['X-Turnkey-Timestamp']),
    })
    assert.equal(result.ok, true)
    const seed = keys.webhookEd25519Seed?.seed
    assert.ok(seed !== undefined)
    const ours = signWebhook(
      {
        keyId: webhook.headers['X-Turnkey-Signature-Key-Id'] ?? '',
        timestampMs: Number(webhook.headers['X-Turnkey-Timestamp']),
        eventId: webhook.headers['X-Turnkey-Event-Id'] ?? '',
        body: utf8(webhook.body),
      },
      ed25519Signer(hex(seed)),
    )
    assert.equal(ours, webhook.headers['X-Turnkey-Signature'])
  },
)
