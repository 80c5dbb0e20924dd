import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifySessionJwtSignature } from '@turnkey/crypto'
import fc from 'fast-check'
import { toHex } from '../base/bytes.ts'
import { readJwt } from './jwt.ts'
import { p256Signer, p256UncompressedKeyOf } from './p256.ts'
import { type SessionClaims, signSessionJwt } from './session-jwt.ts'
import { hex, vectorTest } from './testing/vectors.ts'

const secret = hex('22'.repeat(32))
const signer = p256Signer(secret)
const publicKey = toHex(p256UncompressedKeyOf(secret))

const claims: SessionClaims = {
  expiresAt: 4102444800_999,
  publicKey: '02e45054eb5b1abd976650f7f395bf51d0d8dd193e0174e7a14a1c8c127fbdf2db',
  sessionType: 'SESSION_TYPE_READ_WRITE',
  userId: '0b8d2f1e-7c34-4a5b-8e6f-1a2b3c4d5e6f',
  organizationId: 'f9e6a1c2-5b1d-4c8e-9a57-3d1c0b2e4f60',
}

test('a published client verifies a session token, and not one whose payload was changed', async () => {
  const jwt = signSessionJwt(claims, signer)
  assert.equal(await verifySessionJwtSignature(jwt, publicKey), true)
  const other = signSessionJwt({ ...claims, userId: 'another' }, signer)
  const mixed = [...other.split('.').slice(0, 2), jwt.split('.')[2]].join('.')
  assert.equal(await verifySessionJwtSignature(mixed, publicKey), false)
})

test('a profile and its scope come last, and only where there is one', () => {
  const names = (of: SessionClaims) => Object.keys(readJwt(signSessionJwt(of, signer))?.payload ?? {})
  const bare = ['exp', 'public_key', 'session_type', 'user_id', 'organization_id']
  assert.deepEqual(names(claims), bare)
  assert.deepEqual(names({ ...claims, sessionProfileId: 'p', scope: 's' }), [
    ...bare,
    'session_profile_id',
    'scope',
  ])
})

test('whatever a claim holds, a reader of plain base64 reads the payload back', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('~', '>', '?', '\x7f', 'é', '💧', 'a', '\\', '"') }),
      (text) => {
        const payload = signSessionJwt({ ...claims, scope: text }, signer).split('.')[1] ?? ''
        assert.match(payload, /^[A-Za-z0-9]+$/)
        assert.equal(JSON.parse(atob(payload)).scope, text)
      },
    ),
  )
})

type Kats = { readonly sessionJwt: { readonly jwt: string } }

vectorTest<Kats>(
  'the known token is ours but for its signature',
  'facts/crypto-kats.json',
  async ({ sessionJwt }) => {
    const unsigned = (jwt: string) => jwt.split('.').slice(0, 2)
    assert.deepEqual(unsigned(signSessionJwt(claims, signer)), unsigned(sessionJwt.jwt))
  },
)
