import assert from 'node:assert/strict'
import { test } from 'node:test'
import { p256Signer } from '../../crypto/p256.ts'
import { signVerificationToken } from '../../crypto/verification-token.ts'
import type { Vote } from '../records/votes.ts'
import { provenContactOf } from './token-votes.ts'

test('only a vote by a verification token proves a contact, whatever the token of another kind says', () => {
  const publicKey = `02${'a'.repeat(64)}`
  const claims = { verificationType: 'OTP_TYPE_EMAIL', contact: 'ada@example.com', expiresAt: 1 }
  const token = { ...claims, id: 'token', organizationId: 'organization', publicKey }
  const stamp = {
    publicKeyAttestation: signVerificationToken(token, p256Signer(new Uint8Array(32).fill(1))),
    publicKey,
    signature: '30',
  }
  const provenBy = (scheme: string) =>
    // Nothing else of a vote is looked at.
    provenContactOf({
      scheme: 'SIGNATURE_SCHEME_TK_ATTESTED_P256',
      signature: JSON.stringify({ ...stamp, scheme }),
    } as Vote)
  assert.deepEqual(provenBy('STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN'), { ...claims, tokenId: 'token' })
  assert.equal(provenBy('STAMP_ATTESTED_SCHEME_P256_OIDC'), undefined)
})
