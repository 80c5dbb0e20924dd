import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { present } from '../../../src/trusted/base/assert.ts'
import { createAuthenticator } from '../../support/software-authenticator.ts'
import { stampKeyFrom, stampWith } from '../../support/stamper.ts'
import type { Setting } from '../setting.ts'

const schemes = [
  ['API_KEY_CURVE_P256', 'SIGNATURE_SCHEME_TK_API_P256'],
  ['API_KEY_CURVE_SECP256K1', 'SIGNATURE_SCHEME_TK_API_SECP256K1'],
  ['API_KEY_CURVE_SECP256K1', 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191'],
  ['API_KEY_CURVE_ED25519', 'SIGNATURE_SCHEME_TK_API_ED25519'],
] as const

export function credentialFlows(setting: Setting): void {
  for (const [curveType, scheme] of schemes) {
    test(`someone adds an API key for ${scheme} to their own, stamps with it, and deletes it again`, async () => {
      const { root, clientWith, user } = setting
      const { organizationId } = root
      const owner = await user(root, `Owner ${scheme}`)
      const key = stampKeyFrom(scheme, (length) => randomBytes(length))
      const created = await owner.client.createApiKeys(
        owner.activity('ACTIVITY_TYPE_CREATE_API_KEYS_V2', {
          userId: owner.userId,
          apiKeys: [
            { apiKeyName: 'Another', publicKey: key.publicKey, curveType, expirationSeconds: '3600' },
          ],
        }),
      )
      const apiKeyIds = present(created.activity.result.createApiKeysResult?.apiKeyIds, 'the new key')
      const apiKeyId = present(apiKeyIds[0], 'the new key')
      const another = clientWith({ stamp: async (body: string) => stampWith(key, body) })
      assert.equal((await another.getWhoami({ organizationId })).userId, owner.userId)

      const { apiKey } = await owner.client.getApiKey({ organizationId, apiKeyId })
      assert.equal(apiKey.credential.publicKey, key.publicKey)
      assert.equal(apiKey.expirationSeconds, '3600')
      const { apiKeys } = await owner.client.getApiKeys({ organizationId, userId: owner.userId })
      assert.equal(apiKeys.length, 2)

      await another.deleteApiKeys(
        owner.activity('ACTIVITY_TYPE_DELETE_API_KEYS', { userId: owner.userId, apiKeyIds: [apiKeyId] }),
      )
      await assert.rejects(another.getWhoami({ organizationId }), /Turnkey error 16: /)
      await owner.client.getWhoami({ organizationId })
    })
  }

  test('the last credential of a user cannot be deleted', async () => {
    const { root, user } = setting
    const { organizationId } = root
    const owner = await user(root, 'Careful')
    const { apiKeys } = await owner.client.getApiKeys({ organizationId, userId: owner.userId })
    const apiKeyIds = apiKeys.map(({ apiKeyId }) => apiKeyId)
    const deletion = owner.activity('ACTIVITY_TYPE_DELETE_API_KEYS', { userId: owner.userId, apiKeyIds })
    await assert.rejects(owner.client.deleteApiKeys(deletion), {
      message: new RegExp(`^Turnkey error 3: user missing valid credential: ${owner.userId}`),
    })
  })

  test('a passkey is registered, read and deleted', async () => {
    const { root, user } = setting
    const { organizationId } = root
    const owner = await user(root, 'Passkey owner')
    const { userId } = owner
    const authenticator = createAuthenticator({
      rpId: 'example.com',
      randomBytes: (length) => randomBytes(length),
    })
    const challenge = randomBytes(32).toString('base64url')
    const { transports: _, ...attestation } = authenticator.register(challenge, 'https://example.com')
    const created = await owner.client.createAuthenticators(
      owner.activity('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
        userId,
        authenticators: [
          {
            authenticatorName: 'Phone',
            challenge,
            attestation: { ...attestation, transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'] },
          },
        ],
      }),
    )
    const ids = present(created.activity.result.createAuthenticatorsResult?.authenticatorIds, 'the passkey')
    const authenticatorId = present(ids[0], 'the passkey')
    const read = await owner.client.getAuthenticator({ organizationId, authenticatorId })
    assert.equal(read.authenticator.credentialId, attestation.credentialId)
    const { authenticators } = await owner.client.getAuthenticators({ organizationId, userId })
    assert.deepEqual(
      authenticators.map(({ authenticatorName }) => authenticatorName),
      ['Phone'],
    )
    await owner.client.deleteAuthenticators(
      owner.activity('ACTIVITY_TYPE_DELETE_AUTHENTICATORS', { userId, authenticatorIds: ids }),
    )
    const later = await owner.client.getAuthenticators({ organizationId, userId })
    assert.deepEqual(later.authenticators, [])
    const { oauthProviders } = await owner.client.getOauthProviders({ organizationId, userId })
    assert.deepEqual(oauthProviders, [])
  })
}
