import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { importJWK, jwtVerify } from 'jose'
import { present } from '../base/assert.ts'
import { toHex } from '../base/bytes.ts'
import { Failure } from '../base/failure.ts'
import type { JsonObject } from '../base/strict-json.ts'
import { writeJwt } from './jwt.ts'
import { peekOidcToken } from './oidc-token.ts'
import { p256Signer, p256UncompressedKeyOf, p256VerifyKey } from './p256.ts'
import { type ServiceOidcToken, signServiceOidcToken, verifyServiceOidcToken } from './service-oidc-token.ts'
import { hex } from './testing/vectors.ts'
import { readVerificationToken, signVerificationToken } from './verification-token.ts'

const secret = hex('33'.repeat(32))
const signer = p256Signer(secret)
const verifyKey = present(p256VerifyKey(toHex(p256UncompressedKeyOf(secret))), 'a key')
const now = 1_800_000_000_000

const token: ServiceOidcToken = {
  issuer: 'https://service.example',
  audience: 'client',
  subject: '42',
  issuedAt: now,
  expiresAt: now + 1000,
  nonce: 'abc',
  encryptedBearerToken: 'bundle',
}

const refusal = async (jwt: string, at = now, issuer = token.issuer): Promise<string> => {
  try {
    await verifyServiceOidcToken(jwt, [verifyKey], { now: at, issuer })
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    assert.equal(error.kind, 'invalidOidcToken')
    return error.message.replace('invalid OIDC token: ', '')
  }
  return 'none'
}

test('reading what was signed gives it back, for any texts', async () => {
  const text = fc.string({ unit: 'grapheme' })
  const optional = fc.option(text, { nil: undefined })
  await fc.assert(
    fc.asyncProperty(text, text, optional, optional, async (audience, subject, nonce, bearer) => {
      const written: ServiceOidcToken = {
        issuer: token.issuer,
        audience,
        subject,
        issuedAt: now,
        expiresAt: now + 1000,
        ...(nonce === undefined ? {} : { nonce }),
        ...(bearer === undefined ? {} : { encryptedBearerToken: bearer }),
      }
      const jwt = signServiceOidcToken(written, signer)
      assert.deepEqual(await verifyServiceOidcToken(jwt, [verifyKey], { now, issuer: token.issuer }), written)
    }),
    { numRuns: 30 },
  )
})

test('another library verifies the token, and anyone finds what it names', async () => {
  const jwt = signServiceOidcToken(token, signer)
  const jwk = verifyKey.export({ format: 'jwk' })
  const { payload } = await jwtVerify(jwt, await importJWK(jwk, 'ES256'), { currentDate: new Date(now) })
  assert.equal(payload['encrypted_bearer_token'], 'bundle')
  assert.deepEqual(peekOidcToken(jwt), { issuer: token.issuer, audience: 'client', subject: '42' })
})

test('a token that expired, is of another issuer, altered or signed by another key is refused', async () => {
  const jwt = signServiceOidcToken(token, signer)
  assert.equal(await refusal(jwt, now + 999), 'none')
  assert.equal(await refusal(jwt, now + 1000), 'it has expired')
  assert.equal(await refusal(jwt, now, 'https://other.example'), 'it was issued by another issuer')
  const [header, , signature] = jwt.split('.')
  const forged = signServiceOidcToken({ ...token, subject: '43' }, signer).split('.')[1]
  assert.equal(await refusal(`${header}.${forged}.${signature}`), 'its signature does not verify')
  assert.equal(
    await refusal(signServiceOidcToken(token, p256Signer(hex('34'.repeat(32))))),
    'its signature does not verify',
  )
})

test('tokens of the two kinds that one key signs cannot stand in for each other', async () => {
  const verification = signVerificationToken(
    { id: 'i', organizationId: 'o', verificationType: 'OTP_TYPE_EMAIL', contact: 'c', expiresAt: now + 1 },
    signer,
  )
  assert.equal(await refusal(verification), 'a claim is missing or of the wrong type')
  await assert.rejects(readVerificationToken(signServiceOidcToken(token, signer), [verifyKey], now), {
    kind: 'verificationTokenMalformed',
  })
})

test('another header or claims of other types are refused, though they are signed', async () => {
  const claims = { iss: token.issuer, aud: 'client', sub: '42', iat: now / 1000, exp: now / 1000 + 1 }
  const write = (payload: JsonObject, header: JsonObject = { alg: 'ES256', typ: 'JWT' }) =>
    writeJwt({ header, payload }, (bytes) => signer.sign(hash('sha256', bytes, 'buffer')))
  assert.equal(await refusal(write(claims)), 'none')
  for (const header of [
    { alg: 'ES256' },
    { alg: 'none', typ: 'JWT' },
    { alg: 'ES256', typ: 'JWT', kid: 'x' },
  ])
    assert.match(await refusal(write(claims, header)), /^its header/)
  for (const change of [
    { exp: '1' },
    { exp: 1e300 },
    { iat: null },
    { aud: ['client'] },
    { sub: 5 },
    { nonce: 5 },
    { encrypted_bearer_token: {} },
  ])
    assert.match(
      await refusal(write({ ...claims, ...change })),
      /^a claim is missing/,
      JSON.stringify(change),
    )
})

test('any text is refused cleanly', async () => {
  await fc.assert(fc.asyncProperty(fc.string(), async (text) => assert.notEqual(await refusal(text), 'none')))
})
