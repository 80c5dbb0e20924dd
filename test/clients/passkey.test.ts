import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test, type TestContext } from 'node:test'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { TurnkeyClient } from '@turnkey/http'
import { present } from '../../src/trusted/base/assert.ts'
import { chromiumAvailable, chromiumMissing } from '../support/chromium.ts'
import { type PasskeyPage, passkeyPage } from './passkey-page.ts'
import { aSetting, type Setting } from './setting.ts'
import { isGoodSignature } from './verify-signature.ts'

// A real browser, its own WebAuthn code and the published stamper; only the authenticator is virtual.
const available = chromiumAvailable() ? { setting: await aSetting(), page: await passkeyPage() } : undefined
after(async () => {
  await available?.page.close()
  await available?.setting.service.kill()
})

withBrowser('a user registers a passkey, and what it stamps is that user', async ({ setting, page }) => {
  const { root, user } = setting
  const { organizationId } = root
  const owner = await user(root, 'Alice')
  const { userId } = owner
  const { challenge, attestation } = await registration(page)
  await owner.client.createAuthenticators(
    owner.activity('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
      userId,
      authenticators: [{ authenticatorName: 'Laptop', challenge, attestation }],
    }),
  )
  const { authenticators } = await owner.client.getAuthenticators({ organizationId, userId })
  assert.equal(authenticators[0]?.credentialId, attestation.credentialId)

  const whoami = await withPasskey(setting, page, attestation.credentialId).getWhoami({ organizationId })
  assert.deepEqual([whoami.userId, whoami.username], [userId, 'Alice'])
  const answer = await page.post(
    `${setting.service.url}/public/v1/query/whoami`,
    JSON.stringify({ organizationId }),
    attestation.credentialId,
  )
  assert.equal(answer.status, 200, answer.text)
  assert.equal(JSON.parse(answer.text).userId, userId)
})

withBrowser(
  'a sub-organization whose root user has nothing but a passkey makes a key and signs with it',
  async ({ setting, page }) => {
    const { client, organizationId } = await passkeyOrganization(setting, page, 'Passkey only')
    const activity = activityIn(organizationId)
    const created = await client.createPrivateKeys(
      activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
        privateKeys: [
          {
            privateKeyName: 'Wallet',
            curve: 'CURVE_SECP256K1',
            privateKeyTags: [],
            addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
          },
        ],
      }),
    )
    const made = present(created.activity.result.createPrivateKeysResultV2?.privateKeys[0], 'the key')
    const privateKeyId = present(made.privateKeyId, 'its id')
    assert.deepEqual(
      created.activity.votes.map(({ scheme }) => scheme),
      ['SIGNATURE_SCHEME_TK_WEBAUTHN'],
    )
    const signed = await client.signRawPayload(
      activity('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
        signWith: present(made.addresses?.[0]?.address, 'its address'),
        payload: 'from a browser',
        encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
        hashFunction: 'HASH_FUNCTION_KECCAK256',
      }),
    )
    const signature = present(signed.activity.result.signRawPayloadResult, 'the signature')
    const { privateKey } = await client.getPrivateKey({ organizationId, privateKeyId })
    const digest = keccak_256(new TextEncoder().encode('from a browser'))
    assert.ok(
      isGoodSignature('CURVE_SECP256K1', { publicKey: privateKey.publicKey, signed: digest, signature }),
    )
  },
)

withBrowser('a stamp over other bytes than were sent is refused', async ({ setting, page }) => {
  const { organizationId, credentialId } = await passkeyOrganization(setting, page, 'Other bytes')
  const swapped = setting.clientWith({ stamp: (body) => page.stamp(`${body} `, credentialId) })
  await assert.rejects(swapped.getWhoami({ organizationId }), {
    code: 16,
    message: /^Turnkey error 16: could not verify WebAuthN signature/,
  })
})

withBrowser(
  "an organization that names its origins takes passkeys from the page's own origin and from no other",
  async ({ setting, page }) => {
    const { client, organizationId } = await passkeyOrganization(setting, page, 'Origins')
    const allow = (value: string) =>
      client.setOrganizationFeature(
        activityIn(organizationId)('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
          name: 'FEATURE_NAME_WEBAUTHN_ORIGINS',
          value,
        }),
      )
    await allow(`https://example.com,${page.origin}`)
    await client.getWhoami({ organizationId })
    const { challenge, attestation } = await registration(page)
    const { userId } = await client.getWhoami({ organizationId })
    const register = () =>
      client.createAuthenticators(
        activityIn(organizationId)('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
          userId,
          authenticators: [{ authenticatorName: 'Second', challenge, attestation }],
        }),
      )
    await register()

    await allow('https://example.com')
    await assert.rejects(client.getWhoami({ organizationId }), {
      code: 16,
      message: /^Turnkey error 16: could not verify WebAuthN signature/,
    })
    await assert.rejects(register(), { code: 16 })
  },
)

function withBrowser(
  promise: string,
  body: (given: { readonly setting: Setting; readonly page: PasskeyPage }, t: TestContext) => Promise<void>,
): void {
  test(promise, { skip: available === undefined && chromiumMissing }, (t) =>
    body(present(available, 'skipped without'), t),
  )
}

async function registration(page: PasskeyPage) {
  const challenge = randomBytes(32).toString('base64url')
  const attestation = await page.register(challenge)
  // The browser reports the bytes it was given, once more in base64url.
  return { challenge: Buffer.from(challenge).toString('base64url'), attestation }
}

/** The published client of this process, whose stamps the published stamper makes in the page. */
function withPasskey({ clientWith }: Setting, page: PasskeyPage, credentialId: string): TurnkeyClient {
  return clientWith({ stamp: (body) => page.stamp(body, credentialId) })
}

async function passkeyOrganization(setting: Setting, page: PasskeyPage, subOrganizationName: string) {
  const { root } = setting
  const { challenge, attestation } = await registration(page)
  const { activity } = await root.client.createSubOrganization(
    root.activity('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
      subOrganizationName,
      rootQuorumThreshold: 1,
      rootUsers: [
        {
          userName: 'Alice',
          apiKeys: [],
          authenticators: [{ authenticatorName: 'Laptop', challenge, attestation }],
          oauthProviders: [],
        },
      ],
    }),
  )
  const made = present(activity.result.createSubOrganizationResultV8, 'the result')
  const { credentialId } = attestation
  return {
    client: withPasskey(setting, page, credentialId),
    organizationId: made.subOrganizationId,
    credentialId,
  }
}

function activityIn(organizationId: string) {
  return <T extends string, P>(type: T, parameters: P) => ({
    type,
    timestampMs: String(Date.now()),
    organizationId,
    parameters,
  })
}
