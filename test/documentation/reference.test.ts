import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { verifyTurnkeyWebhookSignature } from '@turnkey/crypto'
import { present } from '../../src/trusted/base/assert.ts'
import { utf8 } from '../../src/trusted/base/bytes.ts'
import { readClientSignature } from '../../src/trusted/crypto/client-signature.ts'
import { ed25519PublicKeyOf } from '../../src/trusted/crypto/ed25519.ts'
import { signWebhook } from '../../src/trusted/crypto/webhook-signature.ts'
import { root } from '../house/sources.ts'
import { aService, type JsonAnswer } from '../support/service.ts'

test('the webhook of the page is signed as this service signs', async () => {
  const { headers, body, publicKey } = await ranOn('webhook-signatures', ['headers', 'body', 'publicKey'])
  const seed = new Uint8Array(32).fill(1)
  assert.equal(publicKey, ed25519PublicKeyOf(seed))
  const timestampMs = Number(headers['x-turnkey-timestamp'])
  const eventId = headers['x-turnkey-event-id']
  const keyId = headers['x-turnkey-signature-key-id']
  const signed = signWebhook({ keyId, timestampMs, eventId, body }, seed)
  assert.equal(headers['x-turnkey-signature'], signed)
  const published = verifyTurnkeyWebhookSignature({
    headers,
    body,
    verificationKeys: [{ keyId, publicKey }],
    maxTimestampAgeMs: 1,
    nowMs: timestampMs,
  })
  assert.equal(published.ok, true)
})

test('the client signatures of the page are read as signatures of a login', async () => {
  const { clientSignature, known } = await ranOn('client-signatures', ['known'])
  for (const signature of [clientSignature.signature, known]) {
    const usage = await readClientSignature({ ...clientSignature, signature })
    assert.deepEqual([usage.kind, usage.tokenId], ['login', '0198c5a0-7d3c-7000-8000-000000000001'])
  }
  const message = `${clientSignature.message} `
  await assert.rejects(readClientSignature({ ...clientSignature, message }), /it does not verify/)
})

test('the stamp of the page is one that the service verifies, over the exact bytes', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { headers, body } = await ranOn('requests', [])
  const path = '/public/v1/query/whoami'
  const { organizationId } = service
  const known = JSON.stringify({ organizationId })
  // A stamp that verifies is of a key that nobody has registered; one that does not is refused before that.
  const page = await service.post(path, body, headers)
  assert.equal(page.json.turnkeyErrorCode, 'ORGANIZATION_NOT_FOUND', page.text)
  const other = await service.post(path, known, headers)
  assert.equal(other.status, 401)
})

test('the parts of a webhook stand in the order in which they are signed', () => {
  const parts = /v1\.ed25519\.<key id>\.<timestamp>\.<event id>\.<body>/.exec(pageOf('webhook-signatures'))
  assert.ok(parts)
  const body = utf8('{}')
  const seed = new Uint8Array(32).fill(1)
  const one = signWebhook({ keyId: 'a.b', timestampMs: 1, eventId: 'c', body }, seed)
  assert.notEqual(one, signWebhook({ keyId: 'a', timestampMs: 1, eventId: 'b.c', body }, seed))
})

function pageOf(name: string): string {
  return readFileSync(new URL(`docs/reference/${name}.md`, root), 'utf8')
}

/** Runs the program of a page, which checks itself, and answers what it exports and these names of it. */
async function ranOn(name: string, names: readonly string[]): Promise<JsonAnswer> {
  const program = present(/^```js\n([^]*?)^```/m.exec(pageOf(name))?.[1], 'a program on the page')
  const text = `${program}\nexport { ${names.join(', ')} }\n`
  return await import(`data:text/javascript,${encodeURIComponent(text)}`)
}
