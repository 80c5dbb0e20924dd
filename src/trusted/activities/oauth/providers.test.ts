import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aServiceWithIssuer } from '../../../../test/support/service-with-issuer.ts'
import { CREATE_SUB_ORGANIZATION, rootUser } from '../organizations/testing/sub-organization.ts'
import {
  aCustomer,
  assertBadToken,
  CREATE_PROVIDERS,
  GOOGLE,
  ownApplications,
  userOf,
} from './testing/oauth.ts'

test('providers are registered in every version, shown by every query, and deleted again', async (t) => {
  const { service, issuer } = await aServiceWithIssuer(t)
  const ada = await aCustomer(service)
  const { userId } = ada
  const iss = issuer.issuer
  const v1 = await service.done(ada, 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS', {
    userId,
    oauthProviders: [{ providerName: 'Web', oidcToken: await issuer.token({ subject: 'ada' }) }],
  })
  const v2 = await service.done(ada, CREATE_PROVIDERS, {
    userId,
    oauthProviders: [
      { providerName: 'Phone', oidcClaims: { iss, sub: 'ada', aud: 'phone-2' } },
      { providerName: 'Phone 1', oidcToken: await issuer.token({ subject: 'ada', audience: 'phone' }) },
    ],
  })

  const ids = [...v1.providerIds, ...v2.providerIds]
  const { oauthProviders } = (await service.query(ada, 'get_oauth_providers', { userId })).json
  assert.deepEqual(
    oauthProviders.map(({ createdAt, updatedAt, ...one }: { createdAt: object; updatedAt: object }) => {
      assert.deepEqual(createdAt, updatedAt)
      return one
    }),
    [
      { providerId: ids[0], providerName: 'Web', issuer: iss, audience: 'web', subject: 'ada' },
      { providerId: ids[1], providerName: 'Phone', issuer: iss, audience: 'phone-2', subject: 'ada' },
      { providerId: ids[2], providerName: 'Phone 1', issuer: iss, audience: 'phone', subject: 'ada' },
    ],
  )
  assert.deepEqual((await service.query(ada, 'get_oauth_providers')).json.oauthProviders, oauthProviders)
  assert.deepEqual((await userOf(service, ada)).oauthProviders, oauthProviders)
  const foreign = await service.submit(ada, 'ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS', {
    userId,
    providerIds: [ids[0], '0198c5a0-7d3c-7000-8000-00000000dead'],
  })
  assert.equal(foreign.status, 404, foreign.text)
  await service.done(ada, 'ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS', { userId, providerIds: ids.slice(0, 2) })
  assert.deepEqual(
    (await userOf(service, ada)).oauthProviders.map(
      (oauthProvider: { providerId: string }) => oauthProvider.providerId,
    ),
    [ids[2]],
  )
})

test('claims stand beside a token of the same issuer and subject only, and an entry has one of the two', async (t) => {
  const { service, issuer, questions } = await aServiceWithIssuer(t)
  const ada = await aCustomer(service)
  const oidcToken = await issuer.token({ subject: 'ada' })
  const token = { providerName: 'Web', oidcToken }
  const claims = (more: object) => ({
    providerName: 'More',
    oidcClaims: { iss: issuer.issuer, sub: 'ada', aud: 'phone', ...more },
  })
  const refused: readonly (readonly [readonly object[], RegExp])[] = [
    [[claims({})], /oidcClaims need another entry with an oidcToken of the same iss and sub/],
    [[token, claims({ sub: 'bob' })], /oidcClaims need another entry with an oidcToken/],
    [[token, claims({ iss: 'https://other.example' })], /oidcClaims need another entry with an oidcToken/],
    [[{ ...token, ...claims({}) }], /exactly one of oidcToken and oidcClaims/],
    [[token, { providerName: 'None' }], /exactly one of oidcToken and oidcClaims/],
    [[], /must have at least 1 entries/],
  ]

  for (const [oauthProviders, message] of refused) {
    const { status, json, text } = await service.submit(ada, CREATE_PROVIDERS, {
      userId: ada.userId,
      oauthProviders,
    })
    assert.equal(status, 400, text)
    assert.match(json.message, message)
  }
  assert.equal(questions.length, 0, 'what can be seen to be wrong is not asked about')
})

test('an identity belongs to one user of an organization, and to any number of organizations', async (t) => {
  const { service, issuer } = await aServiceWithIssuer(t)
  const token = { providerName: 'Web', oidcToken: await issuer.token({ subject: 'ada' }) }
  const ada = await aCustomer(service, { oauthProviders: [token] })
  const ben = await aCustomer(service)
  const add = async (by: typeof ada, oauthProviders: readonly object[]) => {
    service.world.advance(1)
    return await service.submit(by, CREATE_PROVIDERS, { userId: by.userId, oauthProviders })
  }

  const again = await add(ada, [token])
  assert.equal(again.status, 400, again.text)
  assert.equal(again.json.turnkeyErrorCode, 'OAUTH_PROVIDER_ALREADY_EXISTS')
  const twice = await add(ben, [token, token])
  assert.equal(twice.json.turnkeyErrorCode, 'OAUTH_PROVIDER_ALREADY_EXISTS')
  assert.equal((await userOf(service, ben)).oauthProviders.length, 0)
  assert.equal((await add(ben, [token])).status, 200)
  const listed = await service.query(service.root, 'list_suborgs', {
    filterType: 'OIDC_TOKEN',
    filterValue: await issuer.token({ subject: 'ada' }),
  })
  assert.deepEqual(listed.json, { organizationIds: [ada.organizationId, ben.organizationId] })
})

test('a user has ten providers at most', async (t) => {
  const { service, issuer } = await aServiceWithIssuer(t)
  const ada = await aCustomer(service, {
    oauthProviders: [{ providerName: '0', oidcToken: await issuer.token({ subject: 'ada' }) }],
  })
  const ten = async () => [
    { providerName: '1', oidcToken: await issuer.token({ subject: 'ada', audience: 'phone' }) },
    ...Array.from({ length: 9 }, (_, index) => ({
      providerName: 'Claims',
      oidcClaims: { iss: issuer.issuer, sub: 'ada', aud: `app-${index}` },
    })),
  ]
  const eleventh = await service.submit(ada, CREATE_PROVIDERS, {
    userId: ada.userId,
    oauthProviders: await ten(),
  })

  assert.equal(eleventh.status, 429, eleventh.text)
  assert.match(eleventh.json.message, /^user has exceeded maximum oauth providers/)
  const tenth = await service.submit(ada, CREATE_PROVIDERS, {
    userId: ada.userId,
    oauthProviders: (await ten()).slice(0, 9),
  })
  assert.equal(tenth.status, 200, tenth.text)
})

test('new users come with accounts elsewhere as their only way in, all of them or none', async (t) => {
  const { service, issuer } = await aServiceWithIssuer(t)
  const ada = await aCustomer(service)
  const user = async (userName: string, subject: string, more: object = {}) => ({
    userName,
    apiKeys: [],
    authenticators: [],
    oauthProviders: [{ providerName: 'Web', oidcToken: await issuer.token({ subject }) }],
    userTags: [],
    ...more,
  })
  const bad = [
    {
      providerName: 'Web',
      oidcToken: await issuer.sign({ iss: issuer.issuer, sub: 'x', aud: 'web', exp: 1 }),
    },
  ]
  const create = async (version: string, users: readonly object[]) => {
    service.world.advance(1)
    return await service.submit(ada, `ACTIVITY_TYPE_CREATE_USERS_${version}`, { users })
  }

  assertBadToken(
    await create('V4', [await user('Ben', 'ben'), await user('Cleo', 'cleo', { oauthProviders: bad })]),
    /has expired/,
  )
  const same = await create('V4', [await user('Ben', 'ben'), await user('Cleo', 'ben')])
  assert.equal(same.json.turnkeyErrorCode, 'OAUTH_PROVIDER_ALREADY_EXISTS', same.text)
  const listed = await service.query(ada, 'list_users')
  assert.equal(listed.json.users.length, 1)
  for (const version of ['V3', 'V4']) {
    const { status, text } = await create(version, [await user(version, version)])
    assert.equal(status, 200, text)
  }
  const last = await service.submit(ada, 'ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS', {
    userId: (await service.query(ada, 'list_users')).json.users[1].userId,
    providerIds: [(await service.query(ada, 'list_users')).json.users[1].oauthProviders[0].providerId],
  })
  assert.equal(last.status, 400, last.text)
  assert.match(last.json.message, /^user missing valid credential: /)
})

test('root users come with accounts elsewhere in every version that has them', async (t) => {
  const { service, issuer } = await aServiceWithIssuer(t)
  for (const version of ['V5', 'V6', 'V7', 'V8']) {
    const { publicKey } = service.newKey()
    const plain = { userName: 'Ada', apiKeys: [{ apiKeyName: 'Key', publicKey }], authenticators: [] }
    const user = version === 'V5' ? plain : rootUser('Ada', service.newKey())
    const oauthProviders = [{ providerName: 'Web', oidcToken: await issuer.token({ subject: version }) }]
    const { subOrganizationId: organizationId } = await service.done(
      service.root,
      CREATE_SUB_ORGANIZATION.replace('V8', version),
      { subOrganizationName: version, rootQuorumThreshold: 1, rootUsers: [{ ...user, oauthProviders }] },
    )
    const { json } = await service.query(service.root, 'get_oauth_providers', { organizationId })
    assert.equal(json.oauthProviders[0].subject, version)
  }
})

test('tokens of more than ten keys of issuers are not asked about', async (t) => {
  const { service, issuer, questions } = await aServiceWithIssuer(t)
  const ada = await aCustomer(service)
  const exp = Math.floor(service.world.now() / 1000) + 600
  const users = await Promise.all(
    Array.from({ length: 11 }, async (_, index) => ({
      userName: `User ${index}`,
      apiKeys: [],
      authenticators: [],
      oauthProviders: [
        {
          providerName: 'Web',
          oidcToken: await issuer.sign({ iss: `https://issuer-${index}.example`, sub: 'x', aud: 'web', exp }),
        },
      ],
      userTags: [],
    })),
  )

  const { status, json } = await service.submit(ada, 'ACTIVITY_TYPE_CREATE_USERS_V4', { users })

  assert.equal(status, 400)
  assert.match(json.message, /more than 10 keys of issuers/)
  assert.equal(questions.length, 0)
})

test('an address that Google vouches for becomes that of a user who has none, and proves the one they have', async (t) => {
  const { service, googleToken } = await aServiceWithIssuer(t)
  await ownApplications(service, [GOOGLE, 'web'])
  const email = 'ada@example.com'
  const token = async (sub: string, more: object = { email_verified: true }) => ({
    providerName: 'Google',
    oidcToken: await googleToken({ sub, email, ...more }),
  })
  const found = async () =>
    (await service.query(service.root, 'list_verified_suborgs', { filterType: 'EMAIL', filterValue: email }))
      .json.organizationIds

  await aCustomer(service, { userEmail: email })
  await aCustomer(service, { oauthProviders: [await token('0', {})] })
  await aCustomer(service, { oauthProviders: [await token('0', { email_verified: false })] })
  assert.deepEqual(await found(), [])
  const other = await aCustomer(service, {
    userEmail: 'other@example.com',
    oauthProviders: [await token('1')],
  })
  assert.deepEqual(await found(), [])
  assert.equal((await userOf(service, other)).userEmail, 'other@example.com')
  const same = await aCustomer(service, { userEmail: 'Ada@Example.com', oauthProviders: [await token('2')] })
  const none = await aCustomer(service)
  await service.done(none, CREATE_PROVIDERS, { userId: none.userId, oauthProviders: [await token('3')] })
  assert.deepEqual(await found(), [same.organizationId, none.organizationId])
  assert.equal((await userOf(service, none)).userEmail, email)
})

test('a parent adds a Google identity of the address that the user has proven, and no other', async (t) => {
  const { service, issuer, googleToken } = await aServiceWithIssuer(t)
  await ownApplications(service, [GOOGLE, 'web'], [issuer.issuer, 'web'])
  const email = 'ada@example.com'
  const google = async (sub: string, more: object = {}) => ({
    providerName: 'Google',
    oidcToken: await googleToken({ sub, email, email_verified: true, ...more }),
  })
  const proven = await aCustomer(service, { oauthProviders: [await google('1')] })
  const unproven = await aCustomer(service, { userEmail: email })
  const clerk = await service.user('Clerk')
  const add = async (to: typeof proven, oauthProviders: readonly object[], by = service.root) => {
    service.world.advance(1)
    const { organizationId, userId } = to
    return await service.submit(by, CREATE_PROVIDERS, { userId, oauthProviders }, { organizationId })
  }
  const mine = { providerName: 'Web', oidcToken: await issuer.token({ subject: 'ada', withEmail: true }) }

  for (const [to, providers] of [
    [proven, [mine]],
    [proven, [await google('2'), mine]],
    [proven, [await google('2', { email: 'bob@example.com' })]],
    [proven, [await google('2', { email_verified: false })]],
    [unproven, [await google('2')]],
  ] as const) {
    const { status, json, text } = await add(to, providers)
    assert.equal(status, 403, text)
    assert.match(json.message, /^a parent organization may only add Google identities/)
  }
  assert.equal((await add(proven, [await google('2')], clerk)).status, 403)
  assert.equal((await add(proven, [await google('2')])).status, 200)
  const removal = await service.submit(
    service.root,
    'ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS',
    { userId: proven.userId, providerIds: [(await userOf(service, proven)).oauthProviders[0].providerId] },
    { organizationId: proven.organizationId },
  )
  assert.match(removal.json.message, /^organization mismatch/)
})

test('a user without rights manages their own providers and nobody else’s', async (t) => {
  const { service, issuer } = await aServiceWithIssuer(t)
  const ada = await aCustomer(service)
  const key = service.newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const { userIds } = await service.done(ada, 'ACTIVITY_TYPE_CREATE_USERS_V4', {
    users: [{ userName: 'Ben', apiKeys, authenticators: [], oauthProviders: [], userTags: [] }],
  })
  const ben = { organizationId: ada.organizationId, userId: userIds[0], key }
  const add = async (userId: string) =>
    await service.submit(ben, CREATE_PROVIDERS, {
      userId,
      oauthProviders: [{ providerName: 'Web', oidcToken: await issuer.token({ subject: 'ben' }) }],
    })

  assert.equal((await add(ada.userId)).status, 403)
  assert.equal((await add(ben.userId)).status, 200)
})
