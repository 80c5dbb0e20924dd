import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signWithApiKey } from '@turnkey/api-key-stamper'
import fc from 'fast-check'
import { toBase64url, toHex, utf8 } from '../base/bytes.ts'
import { Failure } from '../base/failure.ts'
import { p256PublicKeyOf } from './p256.ts'
import { requireOneStamp, signatureNotVerified } from './stamp.ts'
import {
  type AttestedStamp,
  oidcNonceFor,
  readAttestedStamp,
  verifyAttestedSignature,
} from './stamp-attested.ts'
import { hex, vectorTest } from './testing/vectors.ts'

const secret = hex('77'.repeat(32))
const publicKey = p256PublicKeyOf(secret)

const sent = {
  publicKeyAttestation: 'a.b.c',
  scheme: 'STAMP_ATTESTED_SCHEME_P256_OIDC',
  publicKey,
  signature: '3006020101020101',
}
const wrapped = (json: unknown) => toBase64url(utf8(JSON.stringify(json)))

const refusal = (header: string): string => {
  try {
    requireOneStamp({ xStampAttested: header })
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    assert.equal(error.code, 16)
    return error.message
  }
  return 'none'
}

test('an attested stamp is read as base64url, padded or not, and as JSON', () => {
  const { scheme, ...rest } = sent
  for (const json of [sent, { ...rest, scheme, later: 1 }, { ...sent, more: 'x' }, { ...sent, more: 'xx' }]) {
    const text = JSON.stringify(json)
    const padded = Buffer.from(text).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
    for (const header of [text, wrapped(json), padded])
      assert.deepEqual(requireOneStamp({ xStampAttested: header }), { kind: 'attested', ...sent })
  }
})

test('the key of an attested stamp stays as it was sent, because a nonce is made of its text', () => {
  const upper = { ...sent, publicKey: publicKey.toUpperCase() }
  assert.equal(readAttestedStamp(wrapped(upper)).publicKey, upper.publicKey)
  assert.notEqual(oidcNonceFor(upper.publicKey), oidcNonceFor(publicKey))
})

test('a header that holds no object could not be extracted, and a wrong field is malformed', () => {
  for (const header of ['', '*', '{', '{}{}', wrapped([]), wrapped(null), 'e30'.repeat(6000)])
    assert.match(refusal(header), /^could not extract attested stamp: the header /, header.slice(0, 40))
  const bad: readonly object[] = [
    { ...sent, publicKeyAttestation: undefined },
    { ...sent, publicKeyAttestation: 1 },
    { ...sent, scheme: 'SIGNATURE_SCHEME_TK_API_P256' },
    { ...sent, publicKey: `0x${publicKey}` },
    { ...sent, publicKey: `04${'ab'.repeat(64)}` },
    { ...sent, signature: '' },
    { ...sent, signature: '0x30' },
    { ...sent, signature: undefined },
  ]
  for (const json of bad)
    assert.match(refusal(wrapped(json)), /^malformed activity stamp: /, JSON.stringify(json))
})

test('a body that the key signed verifies, and no other', async () => {
  const body = utf8('{"a":1}')
  const signature = await signWithApiKey({ content: '{"a":1}', publicKey, privateKey: toHex(secret) })
  const stamp: AttestedStamp = { ...readAttestedStamp(wrapped(sent)), signature }
  assert.equal(await verifyAttestedSignature(stamp, body), true)
  assert.equal(await verifyAttestedSignature(stamp, utf8('{"a":2}')), false)
  assert.equal(await verifyAttestedSignature({ ...stamp, signature: sent.signature }, body), false)
  const other = p256PublicKeyOf(hex('78'.repeat(32)))
  assert.equal(await verifyAttestedSignature({ ...stamp, publicKey: other }, body), false)
  assert.equal(await verifyAttestedSignature({ ...stamp, publicKey: `02${'ff'.repeat(32)}` }, body), false)
  assert.equal(signatureNotVerified(stamp).message, 'could not verify attested signature')
})

test('one stamp is asked for among all four headers, and a session alone is one', () => {
  assert.deepEqual(requireOneStamp({ xSession: 's' }), { kind: 'session', session: 's' })
  const all = { xStamp: 'a', xStampWebauthn: 'b', xStampAttested: 'c', xSession: 'd' }
  // The literal has these keys and no others.
  const names = Object.keys(all) as (keyof typeof all)[]
  for (const name of names)
    for (const other of names)
      if (name !== other)
        assert.throws(() => requireOneStamp({ [name]: '', [other]: all[other] }), {
          kind: 'moreThanOneStamp',
        })
  assert.throws(
    () => requireOneStamp(all),
    /X-Stamp and X-Stamp-Webauthn and X-Stamp-Attested and X-Session were/,
  )
})

test('any header is read or fails cleanly', async () => {
  const almost = fc
    .record({
      publicKeyAttestation: fc.string(),
      scheme: fc.constant(sent.scheme),
      publicKey: fc.oneof(fc.string(), fc.constant(`02${'ff'.repeat(32)}`)),
      signature: fc.oneof(fc.string(), fc.uint8Array().map(toHex)),
    })
    .map(wrapped)
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json(), almost), async (header) => {
      if (refusal(header) === 'none')
        assert.equal(await verifyAttestedSignature(readAttestedStamp(header), utf8('x')), false)
    }),
  )
})

type Kats = { readonly oidcNonce: { readonly publicKey: string; readonly nonce: string } }

vectorTest<Kats>(
  'the known nonce is that of the text of the key',
  'facts/crypto-kats.json',
  ({ oidcNonce }) => {
    assert.equal(oidcNonceFor(oidcNonce.publicKey), oidcNonce.nonce)
  },
)
