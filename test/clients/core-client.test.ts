import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { encryptOtpCodeToBundle } from '@turnkey/crypto'
import { outsideOf } from '../../src/host/outside/outside.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { realWorld } from '../../src/trusted/base/real-world.ts'
import { openIssuerKeys } from '../../src/host/outside/issuer-keys.ts'
import { openOutbound } from '../../src/host/outside/outbound.ts'
import { realTimers } from '../../src/host/outside/timers.ts'
import { oidcNonceFor } from '../../src/trusted/crypto/stamp-attested.ts'
import { anIssuer } from '../support/issuer.ts'
import { sentMessages } from '../support/messages.ts'
import { claimsOf } from '../support/otp-setting.ts'
import { aProxiedService, CONFIG_ID, type ProxiedService } from '../support/proxied-service.ts'
import { installBrowserStorage } from './browser-storage.ts'
import { endlessTimers } from '../../src/host/outside/testing/timers.ts'

// The published client looks for a browser when it is loaded.
installBrowserStorage()
const { OtpType, StamperType, TurnkeyClient } = await import('@turnkey/core')

const ANY_ORIGIN = { allowedOrigins: ['*'] }

type Settings = ConstructorParameters<typeof TurnkeyClient>[0]

async function aClient({ server, config }: ProxiedService, more: Partial<Settings> = {}) {
  const client = new TurnkeyClient({
    apiBaseUrl: server.url,
    authProxyUrl: server.url,
    authProxyConfigId: CONFIG_ID,
    organizationId: config.organizationId,
    ...more,
  })
  await client.init()
  return client
}

type Client = Awaited<ReturnType<typeof aClient>>

type AuthenticationType = Parameters<
  Client['httpClient']['createMfaPolicy']
>[0]['requiredAuthenticationMethods'][number]['any'][number]['type']

/** What the client tells its page about a request that waits for a further proof. */
type MfaContext = Parameters<NonNullable<Settings['onMfaRequired']>>[0]

/** The client stamps by the clock of this machine. */
function toNow({ service: { world } }: ProxiedService): void {
  world.advance(Date.now() - world.now())
}

async function aServiceForCore(t: TestContext): Promise<ProxiedService> {
  const proxied = await aProxiedService(t, { config: ANY_ORIGIN })
  toNow(proxied)
  return proxied
}

/**
 * What the client's own `verifyOtp` does, but for the key that the target must be signed with: that one is fixed in the
 * client to another service's, and nothing lets a page name ours.
 */
async function verifiedToken(proxied: ProxiedService, client: Client, contact: string) {
  const sent = await client.initOtp({ otpType: OtpType.Email, contact })
  const { otpId } = sent
  const encryptedOtpBundle = await encryptedCode(proxied, client, sent)
  const { verificationToken } = await client.httpClient.proxyVerifyOtpV2({ otpId, encryptedOtpBundle })
  return verificationToken
}

/** The code of the newest message, encrypted with a new key of the client. */
async function encryptedCode(
  { service }: ProxiedService,
  client: Client,
  { otpEncryptionTargetBundle }: { readonly otpEncryptionTargetBundle: string },
): Promise<string> {
  const message = present((await sentMessages(service)).at(-1), 'the message')
  const { otp } = await service.vault.serviceKeys()
  return await encryptOtpCodeToBundle(
    present(message.code, 'the code'),
    otpEncryptionTargetBundle,
    await client.createApiKeyPair(),
    otp,
  )
}

test('the published browser client signs up by mail through the proxy, uses its session, logs out and logs in again', async (t) => {
  const proxied = await aServiceForCore(t)
  const client = await aClient(proxied)
  const contact = 'ada@example.com'
  const signedUp = await client.signUpWithOtp({
    verificationToken: await verifiedToken(proxied, client, contact),
    contact,
    otpType: OtpType.Email,
  })
  assert.ok(signedUp.sessionToken)
  const user = await client.fetchUser()
  assert.equal(user.userEmail, contact)
  const session = present(await client.getSession(), 'the session')
  assert.notEqual(session.organizationId, proxied.config.organizationId)

  // The client sends the bundle under the first type, which had a plain code.
  const sent = await client.httpClient.initOtp({ otpType: OtpType.Email, contact, appName: 'Shop' })
  const encryptedOtpBundle = await encryptedCode(proxied, client, sent)
  const verified = await client.httpClient.verifyOtp({ otpId: sent.otpId, encryptedOtpBundle })
  assert.equal(verified.activity.type, 'ACTIVITY_TYPE_VERIFY_OTP_V2')
  assert.ok(verified.verificationToken)

  await client.clearSession()
  await assert.rejects(client.fetchUser())
  toNow(proxied)
  const verificationToken = await verifiedToken(proxied, client, contact)
  const found = await client.httpClient.proxyGetAccount({
    filterType: 'EMAIL',
    filterValue: contact,
    verificationToken,
  })
  assert.equal(found.organizationId, session.organizationId)
  // With the parent's id alone: the service finds whose login it is by the proven contact.
  await client.loginWithOtp({ verificationToken })
  assert.equal((await client.fetchUser()).userId, user.userId)
})

/** With a real issuer on this machine. */
async function aServiceWithAccounts(t: TestContext) {
  const issuer = await anIssuer()
  const outbound = openOutbound({ allowPrivate: true, timers: endlessTimers })
  t.after(async () => {
    outbound.close()
    await issuer.close()
  })
  const outside = outsideOf({
    outbound,
    issuerKeys: openIssuerKeys({ outbound, elapsed: realWorld.elapsed }),
    timers: realTimers,
  })
  const config = { ...ANY_ORIGIN, oauthClientIds: { google: 'web' }, socialLinkingClientIds: ['phone'] }
  const proxied = await aProxiedService(t, { config, outside })
  toNow(proxied)
  return { proxied, issuer }
}

test('the published browser client signs up and logs in with an account elsewhere', async (t) => {
  const { proxied, issuer } = await aServiceWithAccounts(t)
  const client = await aClient(proxied)
  const come = async () => {
    toNow(proxied)
    const publicKey = await client.createApiKeyPair()
    const oidcToken = await issuer.token({ subject: 'grace', nonce: oidcNonceFor(publicKey) })
    return await client.completeOauth({ oidcToken, publicKey })
  }
  assert.equal((await come()).action, 'SIGNUP')
  const { userId } = await client.fetchUser()
  await client.clearSession()
  assert.equal((await come()).action, 'LOGIN')
  assert.equal((await client.fetchUser()).userId, userId)

  // The older way: the proxy asks for the session, and finds whose by the token.
  const publicKey = await client.createApiKeyPair()
  const oidcToken = await issuer.token({ subject: 'grace', nonce: oidcNonceFor(publicKey) })
  const { session } = await client.httpClient.proxyOAuthLogin({ oidcToken, publicKey })
  await client.storeSession({ sessionToken: session })
  assert.equal((await client.fetchUser()).userId, userId)

  // It looks whether each is somebody else's before it adds them; of the claims it shows no token.
  const added = await client.addOauthProvider({
    providerName: 'Phone',
    oidcToken: await issuer.token({ subject: 'grace', audience: 'phone' }),
  })
  assert.equal(added.length, 1)
  const claimed = await client.addOauthProvider({
    providerName: 'Second',
    oidcToken: await issuer.token({ subject: 'grace-2' }),
    oidcClaims: [{ iss: issuer.issuer, sub: 'grace-2', aud: 'phone' }],
  })
  assert.equal(claimed.length, 2)
})

test('the published browser client learns what it may offer, and understands what is refused', async (t) => {
  const proxied = await aServiceForCore(t)
  const client = await aClient(proxied)
  const { enabledProviders } = await client.getProxyAuthConfig()
  assert.deepEqual(enabledProviders, ['email', 'sms', 'passkey', 'wallet'])
  const init = () => client.initOtp({ otpType: OtpType.Email, contact: 'a@example.com' })
  const { otpId } = await init()
  for (let i = 0; i < 2; i++) await init()
  await assert.rejects(init(), { code: 'MAX_OTP_INITIATED_ERROR' })
  const bundle = JSON.stringify({ encappedPublic: '04', ciphertext: '00' })
  await assert.rejects(
    client.httpClient.proxyVerifyOtpV2({ otpId, encryptedOtpBundle: bundle }),
    /^TurnkeyRequestError: Turnkey error 3: /,
  )
})

test('the published browser client knows that its session has ended', async (t) => {
  const proxied = await aServiceForCore(t)
  const { service } = proxied
  const client = await aClient(proxied)
  const contact = 'ada@example.com'
  const verificationToken = await verifiedToken(proxied, client, contact)
  await client.signUpWithOtp({ verificationToken, contact, otpType: OtpType.Email })
  await client.fetchUser()

  service.world.advance(15 * 60 * 1000)
  await assert.rejects(client.fetchUser(), { code: 'SESSION_EXPIRED' })
  await assert.rejects(client.updateUserName({ userName: 'Ada' }), { code: 'SESSION_EXPIRED' })
})

test('the published browser client finds again what it has made: wallets, users and policies', async (t) => {
  const proxied = await aServiceForCore(t)
  const { service } = proxied
  const client = await aClient(proxied)
  const contact = 'ada@example.com'
  const verificationToken = await verifiedToken(proxied, client, contact)
  await client.signUpWithOtp({ verificationToken, contact, otpType: OtpType.Email })

  const walletId = await client.createWallet({ walletName: 'Both', accounts: ['ADDRESS_FORMAT_ETHEREUM'] })
  service.world.advance(1)
  const added = await client.createWalletAccounts({ walletId, accounts: ['ADDRESS_FORMAT_ETHEREUM'] })
  const [wallet] = await client.fetchWallets()
  assert.deepEqual(
    present(wallet, 'a wallet').accounts.map(({ path }) => path),
    ["m/44'/60'/0'/0/0", "m/44'/60'/1'/0/0"],
  )
  assert.equal(present(wallet, 'a wallet').accounts[1]?.address, added[0])
  assert.deepEqual(await client.fetchPrivateKeys(), [])
  // The client repeats the flag among the parameters.
  const { addresses } = await client.httpClient.createWallet({
    walletName: 'With proofs',
    accounts: [],
    generateAppProofs: true,
  })
  assert.deepEqual(addresses, [])

  const { publicKey } = service.newKey()
  const made = await client.fetchOrCreateP256ApiKeyUser({ publicKey })
  assert.equal((await client.fetchOrCreateP256ApiKeyUser({ publicKey })).userId, made.userId)
  const second = { publicKey: service.newKey().publicKey, createParams: { userName: 'Second' } }
  assert.notEqual((await client.fetchOrCreateP256ApiKeyUser(second)).userId, made.userId)

  const policies = [
    {
      policyName: 'Signs',
      effect: 'EFFECT_ALLOW' as const,
      condition: "activity.action == 'SIGN'",
      consensus: `approvers.any(u, u.id == '${made.userId}')`,
      notes: '',
    },
  ]
  const [policy] = await client.fetchOrCreatePolicies({ policies })
  assert.deepEqual(await client.fetchOrCreatePolicies({ policies }), [policy])

  const before = present(await client.getSession(), 'the session')
  await client.refreshSession()
  assert.notEqual(present(await client.getSession(), 'the new session').publicKey, before.publicKey)
  assert.equal((await client.fetchUser()).userEmail, contact)
})

test('the published browser client has a further proof shown, and takes up what waited for it: a wallet, a login', async (t) => {
  const proxied = await aServiceForCore(t)
  const client = await aClient(proxied)
  const { httpClient } = client
  const contact = 'ada@example.com'
  const verificationToken = await verifiedToken(proxied, client, contact)
  await client.signUpWithOtp({ verificationToken, contact, otpType: OtpType.Email })
  const { userId } = await client.fetchUser()
  const publicKey = await client.createApiKeyPair()
  const apiKeys = [{ apiKeyName: 'Lasting', publicKey, curveType: 'API_KEY_CURVE_P256' as const }]
  await httpClient.createApiKeys({ userId, apiKeys })
  await httpClient.createMfaPolicy({
    userId,
    mfaPolicyName: 'A code by mail too',
    condition: "activity.kind in ['CREATE_WALLET', 'STAMP_LOGIN']",
    requiredAuthenticationMethods: [
      { any: [{ type: 'AUTHENTICATION_TYPE_SESSION' }, { type: 'AUTHENTICATION_TYPE_API_KEY' }] },
      { any: [{ type: 'AUTHENTICATION_TYPE_EMAIL_OTP' }] },
    ],
    order: 0,
  })
  const asked: unknown[] = []
  httpClient.config.activityPoller = { intervalMs: 1, numRetries: 3 }
  httpClient.config.onMfaRequired = async ({ fingerprint, organizationId, activityType, mfaStatuses }) => {
    asked.push([activityType, ...mfaStatuses.map((status) => status.userId)])
    const token = await verifiedToken(proxied, client, contact)
    await client.overrideAttestedStamper({ verificationToken: token, publicKey: claimsOf(token).public_key })
    await httpClient.approveActivity({ fingerprint, organizationId }, StamperType.Attested)
  }

  const { walletId } = await httpClient.createWallet({ walletName: 'Proven', accounts: [] })
  assert.deepEqual(
    (await client.fetchWallets()).map((wallet) => wallet.walletId),
    [walletId],
  )
  // Without a session the client knows the parent alone, and asks there for what became of its login.
  await client.clearSession()
  await client.overrideApiKeyStamper({ temporaryPublicKey: publicKey })
  const login = { publicKey: await client.createApiKeyPair() }
  const { session } = await httpClient.stampLogin(login, StamperType.ApiKey)
  await client.overrideApiKeyStamper({ temporaryPublicKey: '' })
  await client.storeSession({ sessionToken: session })
  assert.equal((await client.fetchUser()).userId, userId)
  assert.deepEqual(asked, [
    ['ACTIVITY_TYPE_CREATE_WALLET', userId],
    ['ACTIVITY_TYPE_STAMP_LOGIN', userId],
  ])
})

/** The customer of the client's session, whose requests of one kind need a second device of theirs too. */
async function aCustomerOfTwoDevices(
  { service }: ProxiedService,
  {
    client,
    kind,
    first,
  }: { readonly client: Client; readonly kind: string; readonly first: AuthenticationType },
) {
  const { userId } = await client.fetchUser()
  const { organizationId } = present(await client.getSession(), 'the session')
  const key = service.newKey()
  const { publicKey } = key
  const device = { apiKeyName: 'Second device', publicKey, curveType: 'API_KEY_CURVE_P256' } as const
  await client.httpClient.createApiKeys({ userId, apiKeys: [device] })
  const { mfaPolicyId } = await client.httpClient.createMfaPolicy({
    userId,
    mfaPolicyName: 'Two devices',
    condition: `activity.kind == '${kind}'`,
    requiredAuthenticationMethods: [
      { any: [{ type: first }] },
      { any: [{ type: 'AUTHENTICATION_TYPE_API_KEY' }, { type: 'AUTHENTICATION_TYPE_PASSKEY' }] },
    ],
    order: 1,
  })
  return {
    userId,
    mfaPolicyId,
    approve: async (fingerprint: string) => {
      const device = { organizationId, userId, key }
      const { json, text } = await service.submit(device, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
      assert.equal(json.activity?.status, 'ACTIVITY_STATUS_COMPLETED', text)
    },
  }
}

/** A client whose page has what waits approved with the second device, and a note of what the page was told. */
async function aClientThatAsks(proxied: ProxiedService) {
  const asked: MfaContext[] = []
  const page = { approve: async (_fingerprint: string) => {} }
  const more = {
    // It looks for the result as soon as the page has done its part.
    activityPoller: { intervalMs: 1, numRetries: 1 },
    onMfaRequired: async (context: MfaContext) => {
      asked.push(context)
      await page.approve(context.fingerprint)
    },
  }
  return { client: await aClient(proxied, more), asked, page }
}

const told = ({ activityType, activityStatus, mfaStatuses }: MfaContext) => [
  activityType,
  activityStatus,
  mfaStatuses.map(({ mfaPolicyId, satisfied }) => [mfaPolicyId, satisfied]),
]

async function signUpByMail(proxied: ProxiedService, client: Client, contact: string): Promise<void> {
  const verificationToken = await verifiedToken(proxied, client, contact)
  await client.signUpWithOtp({ verificationToken, contact, otpType: OtpType.Email })
}

test('the published browser client asks for the further proof that a request waits for, and then has its result', async (t) => {
  const proxied = await aServiceForCore(t)
  const { client, asked, page } = await aClientThatAsks(proxied)
  await signUpByMail(proxied, client, 'ada@example.com')
  const first = 'AUTHENTICATION_TYPE_SESSION'
  const customer = await aCustomerOfTwoDevices(proxied, { client, kind: 'CREATE_WALLET', first })
  page.approve = customer.approve

  const walletId = await client.createWallet({ walletName: 'Safe', accounts: ['ADDRESS_FORMAT_ETHEREUM'] })

  const waits = 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'
  assert.deepEqual(asked.map(told), [['ACTIVITY_TYPE_CREATE_WALLET', waits, [[customer.mfaPolicyId, false]]]])
  assert.equal((await client.fetchWallets())[0]?.walletId, walletId)
})

test('a login by mail with the published browser client asks for a further proof, and then is one', async (t) => {
  const proxied = await aServiceForCore(t)
  const { client, asked, page } = await aClientThatAsks(proxied)
  const contact = 'ada@example.com'
  await signUpByMail(proxied, client, contact)
  const first = 'AUTHENTICATION_TYPE_EMAIL_OTP'
  const customer = await aCustomerOfTwoDevices(proxied, { client, kind: 'STAMP_LOGIN', first })
  page.approve = customer.approve
  await client.clearSession()
  toNow(proxied)

  await client.loginWithOtp({ verificationToken: await verifiedToken(proxied, client, contact) })

  const waits = 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'
  assert.deepEqual(asked.map(told), [['ACTIVITY_TYPE_STAMP_LOGIN', waits, [[customer.mfaPolicyId, false]]]])
  assert.equal((await client.fetchUser()).userId, customer.userId)
})

test('a login with an account elsewhere asks for a further proof, and then is one', async (t) => {
  const { proxied, issuer } = await aServiceWithAccounts(t)
  const { client, asked, page } = await aClientThatAsks(proxied)
  const accountOf = async (subject: string) => {
    toNow(proxied)
    const publicKey = await client.createApiKeyPair()
    return { publicKey, oidcToken: await issuer.token({ subject, nonce: oidcNonceFor(publicKey) }) }
  }
  assert.equal((await client.completeOauth(await accountOf('grace'))).action, 'SIGNUP')
  const first = 'AUTHENTICATION_TYPE_OAUTH'
  const customer = await aCustomerOfTwoDevices(proxied, { client, kind: 'STAMP_LOGIN', first })
  page.approve = customer.approve
  await client.clearSession()

  assert.equal((await client.completeOauth(await accountOf('grace'))).action, 'LOGIN')

  const waits = 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'
  assert.deepEqual(asked.map(told), [['ACTIVITY_TYPE_STAMP_LOGIN', waits, [[customer.mfaPolicyId, false]]]])
  assert.equal((await client.fetchUser()).userId, customer.userId)
})
