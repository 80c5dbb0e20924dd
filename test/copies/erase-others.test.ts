import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { eraseUser } from '../../src/host/copies/erase-user.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { Store } from '../../src/host/store/store.ts'
import { aSubOrganizationOf, submitAttested } from '../../src/trusted/activities/sessions/testing/logins.ts'
import { aCustomer as aCustomerElsewhere } from '../../src/trusted/activities/oauth/testing/oauth.ts'
import { present } from '../../src/trusted/base/assert.ts'
import type { ActivityRow } from '../../src/trusted/catalogue/unit.ts'
import { encryptedClientSecret } from '../behaviour/identities.ts'
import { sentMessages } from '../support/messages.ts'
import { aService, type Member, type TestService } from '../support/service.ts'
import { aServiceWithIssuer } from '../support/service-with-issuer.ts'
import { anEthereumWallet, aSessionKey, DOMAIN, type OwnWallet, signIn } from '../support/sign-in.ts'

// An administrator can give a user of their own whatever somebody else is reached by, delete that user, and have an
// operator erase them.

const VERIFY = 'ACTIVITY_TYPE_VERIFY_WALLET_AUTHENTICATOR'

async function started(t: TestContext, store = openSqlite({ path: ':memory:' })): Promise<TestService> {
  const service = await aService({ store })
  t.after(async () => {
    await service.close()
    await store.close()
  })
  return service
}

/** Deletes a root user of their own organization, by somebody else, and has them erased when it may be. */
async function deletedAndErased(
  service: TestService,
  user: Member,
  before: () => Promise<unknown> = async () => undefined,
) {
  const key = service.newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const users = [{ userName: 'Heir', apiKeys, authenticators: [], oauthProviders: [], userTags: [] }]
  const { userIds } = await service.done(user, 'ACTIVITY_TYPE_CREATE_USERS_V4', { users })
  await service.done(user, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 1, userIds })
  const heir: Member = { ...user, userId: String(userIds[0]), key }
  await service.done(heir, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [user.userId] })
  return await erasedLater(service, user, before)
}

/** Has a user erased whom somebody has deleted just now. */
async function erasedLater(
  service: TestService,
  user: Member,
  before: () => Promise<unknown> = async () => undefined,
) {
  await sentMessages(service)
  service.world.advance(66 * 60_000)
  await before()
  const means = { store: service.store, vault: service.vault, now: service.world.now, paused: async () => {} }
  return await eraseUser(means, user)
}

/** Says, as the user's own, that this wallet is theirs: nobody has to prove that before the first login. */
async function withWallet(service: TestService, user: Member, wallet: OwnWallet): Promise<void> {
  const { type, address } = wallet
  const walletAuthenticators = [{ type, address, domain: DOMAIN }]
  const parameters = { userId: user.userId, walletAuthenticators }
  await service.done(user, 'ACTIVITY_TYPE_CREATE_WALLET_AUTHENTICATORS', parameters)
}

async function logInWith(service: TestService, wallet: OwnWallet, organizationId: string): Promise<void> {
  const key = aSessionKey(service.world)
  const { verificationToken: token } = await service.done(
    service.root,
    VERIFY,
    await signIn(service.world, wallet, { key }),
  )
  const login = await submitAttested(service, { token, key, organizationId }, 'ACTIVITY_TYPE_STAMP_LOGIN', {
    publicKey: key.publicKey,
  })
  assert.equal(login.status, 200, login.text)
}

async function recordsOf(
  { store, organizationId }: TestService,
  type: string,
): Promise<readonly ActivityRow[]> {
  return await store.activities(organizationId, { types: [type] }, { limit: 100 })
}

async function aCustomer(service: TestService, userName: string): Promise<Member> {
  return present((await aSubOrganizationOf(service, [{ userName }]))[0], 'a root user')
}

test('what the parent recorded of a wallet stays while somebody of another sub-organization logs in with it', async (t) => {
  const service = await started(t)
  const [ada, mallory] = [await aCustomer(service, 'Ada'), await aCustomer(service, 'Mallory')]
  const [hers, own] = [anEthereumWallet(service.world), anEthereumWallet(service.world)]
  await withWallet(service, ada, hers)
  await logInWith(service, hers, ada.organizationId)
  await withWallet(service, mallory, hers)
  await withWallet(service, mallory, own)
  await logInWith(service, own, mallory.organizationId)
  const before = await recordsOf(service, VERIFY)
  const isHers = ({ intent }: ActivityRow) => intent.includes(hers.address)

  const { shared } = await deletedAndErased(service, mallory)

  const after = await recordsOf(service, VERIFY)
  assert.deepEqual(after.filter(isHers), before.filter(isHers))
  assert.equal(after.filter(isHers).length, 1)
  assert.equal(shared, 1)
  assert.ok(
    after.every(({ intent }) => !intent.includes(own.address)),
    'what is of nobody else is erased',
  )
})

// Known, and written down in docs/decisions/retention.md: only the host looks for others who have what the user had.
test('what the parent recorded of a wallet is erased where the database hides that somebody else logs in with it', async (t) => {
  const inner = openSqlite({ path: ':memory:' })
  let isHiding = false
  const find: Store['find'] = async (...asked) => (isHiding ? [] : await inner.find(...asked))
  const service = await started(t, { ...inner, find })
  const [ada, mallory] = [await aCustomer(service, 'Ada'), await aCustomer(service, 'Mallory')]
  const wallet = anEthereumWallet(service.world)
  await withWallet(service, ada, wallet)
  await logInWith(service, wallet, ada.organizationId)
  await withWallet(service, mallory, wallet)

  await deletedAndErased(service, mallory, async () => {
    isHiding = true
  })

  const login = present((await recordsOf(service, VERIFY))[0], 'the record of the log-in')
  assert.ok(login.intent.includes('[erased]') && !login.intent.includes(wallet.address), login.intent)
  assert.ok(login.votes.includes(service.root.key.publicKey), 'who asked is still recorded')
})

test('what is asked in an organization that has nothing to do with a user holds up no erasure, whatever it names', async (t) => {
  const service = await started(t)
  const ada = await aCustomer(service, 'Ada')
  const elsewhere = service.of(await service.newOrganization())
  const mallory = elsewhere.root
  const other = await elsewhere.user('Other')
  const userIds = [mallory.userId, other.userId]
  await elsewhere.done(mallory, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  const named = { userId: ada.userId, userName: 'Held up' }
  const waiting = await elsewhere.submit(mallory, 'ACTIVITY_TYPE_UPDATE_USER_NAME', named)
  assert.equal(waiting.json.activity?.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', waiting.text)

  const { activities, live } = await deletedAndErased(service, ada, async () => {
    const { status } = await elsewhere.submit(other, 'ACTIVITY_TYPE_UPDATE_USER_NAME', named)
    assert.equal(status, 200)
  })

  assert.ok(activities > 0)
  assert.deepEqual(live, [])
})

test('a request that was refused, here or elsewhere, makes no address of others that of a deleted user', async (t) => {
  const service = await started(t)
  const { root } = service
  await service.done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name: 'FEATURE_NAME_OTP_EMAIL_AUTH' })
  const grace = await service.user('Grace')
  const own = { userId: grace.userId, userEmail: 'grace@example.com' }
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', own)
  const elsewhere = service.of(await service.newOrganization())
  const members = [
    [service, await service.user('Mallory')],
    [elsewhere, await elsewhere.user('Mallory')],
  ] as const
  for (const [at, mallory] of members) {
    const named = { userId: grace.userId, userEmail: `${at === service ? 'here' : 'there'}@example.com` }
    const { status } = await at.submit(mallory, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', named)
    assert.equal(status, 403)
  }
  for (const contact of ['grace@example.com', 'here@example.com', 'there@example.com'])
    await codeTo(service, contact)

  await service.done(root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [grace.userId] })
  await erasedLater(service, grace)

  assert.deepEqual(await contactsOf(service), ['[erased]', 'here@example.com', 'there@example.com'])
})

test('what an organization recorded of an address stays while a user of its sub-organizations has it', async (t) => {
  const service = await started(t)
  const { root } = service
  await service.done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name: 'FEATURE_NAME_OTP_EMAIL_AUTH' })
  const [theirs, own] = ['ada@example.com', 'grace@example.com']
  await aSubOrganizationOf(service, [{ userName: 'Ada', userEmail: theirs }])
  const grace = await service.user('Grace')
  const { userId } = grace
  for (const userEmail of [theirs, own])
    await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail })
  for (const contact of [theirs, own]) await codeTo(service, contact)
  const invitations = [theirs, own].map((receiverUserEmail) => ({
    receiverUserName: 'Somebody',
    receiverUserEmail,
    receiverUserTags: [],
    accessType: 'ACCESS_TYPE_ALL',
    senderUserId: root.userId,
  }))
  await service.done(root, INVITE, { invitations })

  await service.done(root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [userId] })
  const { shared } = await erasedLater(service, grace)

  assert.equal(shared, 1)
  assert.deepEqual(await contactsOf(service), ['[erased]', theirs])
  const [invited] = await recordsOf(service, INVITE)
  const { invitations: named } = JSON.parse(present(invited, 'the record of the invitations').intent)
  assert.deepEqual(
    named.map(({ receiverUserEmail }: { receiverUserEmail: string }) => receiverUserEmail),
    [theirs, 'erased@erased.invalid'],
  )
})

/**
 * Who has the address of a deleted user while that user is being erased, and what is then left of two requests for
 * codes to it.
 */
const HEIRS: { readonly [heir: string]: { readonly has: Heir; readonly left: readonly string[] } } = {
  'a user of the organization': {
    has: async ({ root, done, user }, userEmail) => {
      const { userId } = await user('Mary')
      await done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail })
    },
    left: ['sales@example.com', 'sales@example.com'],
  },
  'a user of a sub-organization': {
    has: async (service, userEmail) => {
      await aSubOrganizationOf(service, [{ userName: 'Mary', userEmail }])
    },
    left: ['[erased]', 'sales@example.com'],
  },
}

type Heir = (service: TestService, userEmail: string) => Promise<void>

for (const [heir, { has, left }] of Object.entries(HEIRS))
  test(`what is recorded of an address stays if ${heir} comes to have it during the hours of an erasure`, async (t) => {
    const service = await started(t)
    const { root, store, vault, world } = service
    await service.done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
      name: 'FEATURE_NAME_OTP_EMAIL_AUTH',
    })
    const grace = await service.user('Grace')
    const userEmail = 'sales@example.com'
    await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId: grace.userId, userEmail })
    await codeTo(service, userEmail)
    await service.done(root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [grace.userId] })
    await sentMessages(service)
    world.advance(66 * 60_000)
    let pages = 0
    const paused = async (): Promise<void> => {
      if (++pages !== 2) return
      await has(service, userEmail)
      await codeTo(service, userEmail)
      await sentMessages(service)
      world.advance(2 * 60 * 60_000)
    }

    await eraseUser({ store, vault, now: world.now, paused }, grace)

    assert.ok(pages > 2)
    assert.deepEqual(await contactsOf(service), left)
  })

test('a refused request with a token of any depth holds up no erasure', async (t) => {
  const service = await started(t)
  const { root } = service
  const [grace, mallory] = [await service.user('Grace'), await service.user('Mallory')]
  const depth = 5_000
  const claims = Buffer.from(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`).toString('base64url')
  const { status, text } = await service.submit(mallory, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: 'Deep',
    rootQuorumThreshold: 1,
    rootUsers: [{ userName: 'Nobody', apiKeys: [], authenticators: [], oauthProviders: [] }],
    verificationToken: `eyJh.${claims}.x`,
  })
  assert.equal(status, 403, text)

  await service.done(root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [grace.userId] })
  const { activities } = await erasedLater(service, grace)

  assert.ok(activities > 0)
})

async function codeTo(service: TestService, contact: string): Promise<void> {
  const otpType = 'OTP_TYPE_EMAIL'
  service.world.advance(1)
  await service.done(service.root, INIT_OTP, { otpType, contact, appName: 'App' })
}

async function contactsOf(service: TestService): Promise<readonly string[]> {
  const rows = await recordsOf(service, INIT_OTP)
  return rows.map(({ intent }) => String(JSON.parse(intent).contact)).toSorted()
}

const INIT_OTP = 'ACTIVITY_TYPE_INIT_OTP_V3'
const INVITE = 'ACTIVITY_TYPE_CREATE_INVITATIONS'

test('what the parent recorded of an account elsewhere stays while somebody of another sub-organization has it', async (t) => {
  const oauth2Identity = () =>
    ({ kind: 'answered', text: JSON.stringify({ subject: '1', bearerToken: 'b' }) }) as const
  const { service } = await aServiceWithIssuer(t, { oauth2Identity })
  const tokenOf = async (clientId: string) => {
    const { oauth2CredentialId } = await service.done(
      service.root,
      'ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL',
      {
        provider: 'OAUTH2_PROVIDER_DISCORD',
        clientId,
        encryptedClientSecret: await encryptedClientSecret(),
      },
    )
    const code = {
      authCode: 'code',
      redirectUri: 'https://app.example/callback',
      codeVerifier: 'v',
      nonce: 'n',
    }
    return (await service.done(service.root, AUTHENTICATE, { oauth2CredentialId, ...code })).oidcToken
  }
  const with1 = async (clientId: string) => {
    const oauthProviders = [{ providerName: 'Discord', oidcToken: await tokenOf(clientId) }]
    return await aCustomerElsewhere(service, { oauthProviders })
  }
  // Of the same person, by the application of Mallory.
  const [ada, mallory] = [await with1('4711'), await with1('4712')]
  const before = await recordsOf(service, AUTHENTICATE)
  assert.equal(before.length, 2)

  const { shared } = await deletedAndErased(service, mallory)

  assert.deepEqual(await recordsOf(service, AUTHENTICATE), before)
  assert.equal(shared, 1)
  await deletedAndErased(service, ada)
  for (const { result } of await recordsOf(service, AUTHENTICATE)) assert.match(String(result), /\[erased\]/)
})

test('a refusal that quotes what stands within a token of the user quotes it no more', async (t) => {
  const { service, googleToken } = await aServiceWithIssuer(t)
  const { root, store } = service
  const [grace, second] = [await service.user('Grace'), await service.user('Second')]
  const oauthProviders = async (providerName: string) => [
    { providerName, oidcToken: await googleToken({ sub: 'grace-4711' }) },
  ]
  const named = async (name: string) => ({ userId: grace.userId, oauthProviders: await oauthProviders(name) })
  await service.done(root, PROVIDERS, await named('First'))
  const userIds = [root.userId, second.userId]
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  const waiting = await service.submit(root, PROVIDERS, await named('Again'))
  const { fingerprint } = waiting.json.activity
  await service.submit(second, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  const [refused] = await recordsOf(service, PROVIDERS)
  assert.match(present(refused, 'the refusal').failure ?? '', /grace-4711/)

  const removal = await service.submit(root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [grace.userId] })
  await service.submit(second, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
    fingerprint: removal.json.activity.fingerprint,
  })
  await erasedLater(service, grace)

  const left = await store.activities(service.organizationId, {}, { limit: 100 })
  assert.deepEqual(
    left.filter((row) => JSON.stringify(row).includes('grace-4711')),
    [],
  )
})

const PROVIDERS = 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS_V2'

const AUTHENTICATE = 'ACTIVITY_TYPE_OAUTH2_AUTHENTICATE'
