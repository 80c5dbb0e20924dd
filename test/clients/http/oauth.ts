import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { generateP256KeyPair, verifySessionJwtSignature } from '@turnkey/crypto'
import { present } from '../../../src/trusted/base/assert.ts'
import { anIssuer, type TestIssuer } from '../../support/issuer.ts'
import { openedBundle } from '../credential-bundle.ts'
import type { Setting } from '../setting.ts'
import { signSomething } from '../sign-something.ts'

export function oauthFlows({ root, keys, someone }: Setting): void {
  let started: TestIssuer | undefined
  before(async () => {
    started = await anIssuer()
  })
  after(() => started?.close())
  const issuer = (): TestIssuer => present(started, 'it was started before')

  test('somebody signs up with an account elsewhere, logs in with it, and signs', async () => {
    const { organizationId, userId } = await signUp('ada')
    const session = someone(organizationId)
    const login = async (oidcToken: string) =>
      await root.client.oauthLogin({
        ...root.activity('ACTIVITY_TYPE_OAUTH_LOGIN', { oidcToken, publicKey: session.publicKey }),
        organizationId,
      })
    const nonce = nonceOf(session.publicKey)
    const { activity } = await login(await issuer().token({ subject: 'ada', nonce }))
    const { session: token } = present(activity.result.oauthLoginResult, 'the session')
    assert.ok(await verifySessionJwtSignature(token, keys.session))
    assert.equal((await session.client.getWhoami({ organizationId })).userId, userId)
    await signSomething(session)

    const unbound = await issuer().token({ subject: 'ada', nonce: nonceOf(generateP256KeyPair().publicKey) })
    await assert.rejects(login(unbound), /^TurnkeyRequestError: Turnkey error 3: /)
    const ofAnother = await issuer().token({ subject: 'eve', nonce })
    await assert.rejects(login(ofAnother), /^TurnkeyRequestError: Turnkey error 5: /)
  })

  test('an account elsewhere opens a bundle, which the published library opens', async () => {
    const { organizationId, userId } = await signUp('bob')
    const target = generateP256KeyPair()
    const targetPublicKey = target.publicKeyUncompressed
    const { activity } = await root.client.oauth({
      ...root.activity('ACTIVITY_TYPE_OAUTH', {
        oidcToken: await issuer().token({ subject: 'bob', nonce: nonceOf(targetPublicKey) }),
        targetPublicKey,
      }),
      organizationId,
    })
    const result = present(activity.result.oauthResult, 'the result')
    assert.equal(result.userId, userId)
    const session = someone(organizationId, openedBundle(result.credentialBundle, target))
    const { apiKey } = await session.client.getApiKey({ organizationId, apiKeyId: result.apiKeyId })
    assert.match(apiKey.apiKeyName, /^Oauth - /)
    await signSomething(session)
  })

  test('accounts elsewhere are added, found, listed and taken away again', async () => {
    const { organizationId, userId, client, activity } = await signUp('carol')
    const { issuer: iss } = issuer()
    const added = await client.createOauthProviders(
      activity('ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS_V2', {
        userId,
        oauthProviders: [
          { providerName: 'Second', oidcToken: await issuer().token({ subject: 'carol-2' }) },
          { providerName: 'On phones', oidcClaims: { iss, sub: 'carol-2', aud: 'phone' } },
        ],
      }),
    )
    const { providerIds } = present(added.activity.result.createOauthProvidersResultV2, 'the providers')
    const names = async () => {
      const { oauthProviders } = await client.getOauthProviders({ organizationId, userId })
      return oauthProviders.map(({ providerName, audience }) => `${providerName}, ${audience}`).toSorted()
    }
    assert.deepEqual(await names(), ['First, web', 'On phones, phone', 'Second, web'])
    const { organizationIds } = await root.client.getSubOrgIds({
      organizationId: root.organizationId,
      filterType: 'OIDC_TOKEN',
      filterValue: await issuer().token({ subject: 'carol-2' }),
    })
    assert.deepEqual(organizationIds, [organizationId])
    await client.deleteOauthProviders(
      activity('ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS', { userId, providerIds }),
    )
    assert.deepEqual(await names(), ['First, web'])
  })

  async function signUp(subject: string) {
    const owner = someone('')
    const { activity } = await root.client.createSubOrganization(
      root.activity('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
        subOrganizationName: `Of ${subject}`,
        rootQuorumThreshold: 1,
        rootUsers: [
          {
            userName: subject,
            apiKeys: [
              { apiKeyName: 'Own', publicKey: owner.publicKey, curveType: 'API_KEY_CURVE_P256' as const },
            ],
            authenticators: [],
            oauthProviders: [{ providerName: 'First', oidcToken: await issuer().token({ subject }) }],
          },
        ],
      }),
    )
    const made = present(activity.result.createSubOrganizationResultV8, 'the result')
    const userId = present(made.rootUserIds?.[0], 'the root user')
    return { ...someone(made.subOrganizationId, owner), userId }
  }
}

/** The text itself is hashed, as clients do it. */
function nonceOf(publicKey: string): string {
  return createHash('sha256').update(publicKey).digest('hex')
}
