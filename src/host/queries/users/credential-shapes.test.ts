import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vectors } from '../../../../test/support/vectors.ts'
import { anOtpSetting } from '../../../../test/support/otp-setting.ts'
import { CREDENTIAL_TYPES } from '../../../trusted/charter/credential-types.ts'
import { verifyKeyFor } from '../../../trusted/crypto/stamp-verify.ts'
import { userShape } from './user-shape.ts'

test('the credential types are those of the published contract', () => {
  const { enums } = vectors<{ readonly enums: Readonly<Record<string, readonly string[]>> }>(
    'facts/contract.json',
  )
  assert.deepEqual(CREDENTIAL_TYPES, enums['CredentialType'])
})

test('whatever type a key may have, something it stamps can be verified', () => {
  const p256 = '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' // SEC 2 v2, 2.4.2
  const secp256k1 = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798' // SEC 2 v2, 2.4.1
  const ed25519 = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a' // RFC 8032, 7.1
  for (const type of CREDENTIAL_TYPES) {
    if (type === 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR') continue
    const keys = [p256, secp256k1, ed25519].map((key) => verifyKeyFor(type, key))
    assert.ok(
      keys.some((key) => key !== undefined),
      type,
    )
  }
})

test('a user with a session under a profile is told of as the description says', async (t) => {
  const { service, root } = await anOtpSetting(t)
  const { sessionProfileId } = await service.done(root, 'ACTIVITY_TYPE_CREATE_SESSION_PROFILE', {
    sessionProfileName: 'Tags only',
    scope: "activity.kind == 'CREATE_USER_TAG'",
  })
  const { publicKey } = service.newKey()
  await service.done(root, 'ACTIVITY_TYPE_STAMP_LOGIN', { publicKey, sessionProfileId })
  await service.done(root, 'ACTIVITY_TYPE_STAMP_LOGIN', { publicKey: service.newKey().publicKey })

  const { json } = await service.query(root, 'get_user', { userId: root.userId })
  const { apiKeys } = userShape.read(json.user, 'user', 'strict')
  assert.deepEqual(
    apiKeys.map(({ credential }) => [credential.type, credential.sessionProfileId]),
    [
      ['CREDENTIAL_TYPE_API_KEY_P256', undefined],
      ['CREDENTIAL_TYPE_LOGIN', sessionProfileId],
      ['CREDENTIAL_TYPE_LOGIN', undefined],
    ],
  )
})
