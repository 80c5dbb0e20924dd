import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { aService, type Member, type TestService } from '../../../../test/support/service.ts'
import { createAuthenticator } from '../../../../test/support/software-authenticator.ts'

const services: TestService[] = []
after(async () => await Promise.all(services.map(async (service) => await service.close())))

async function started(): Promise<TestService> {
  const service = await aService()
  services.push(service)
  return service
}

const ORIGIN = 'https://app.example.com'
const NOBODY = '0198c5a0-7d3c-7000-8000-0000000000ff'
const CHALLENGE = Buffer.from('a challenge of our own').toString('base64url')
const CREATE_KEYS = 'ACTIVITY_TYPE_CREATE_API_KEYS_V2'
const CREATE_PASSKEYS = 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2'

function apiKey(service: TestService, expirationSeconds?: string) {
  const key = { apiKeyName: 'Key', publicKey: service.newKey().publicKey, curveType: 'API_KEY_CURVE_P256' }
  return expirationSeconds === undefined ? key : { ...key, expirationSeconds }
}

async function addKeys(
  service: TestService,
  by: Member,
  apiKeys: readonly object[],
): Promise<readonly string[]> {
  const { apiKeyIds } = await service.done(by, CREATE_KEYS, { userId: by.userId, apiKeys })
  return apiKeyIds
}

async function keysOf(service: TestService, userId: string): Promise<readonly string[]> {
  const { json } = await service.query(service.root, 'get_api_keys', { userId })
  return json.apiKeys.map((key: { apiKeyId: string }) => key.apiKeyId)
}

async function refused(service: TestService, by: Member, type: string, parameters: object) {
  service.world.advance(1)
  const { status, json } = await service.submit(by, type, parameters)
  assert.notEqual(status, 200, JSON.stringify(json))
  return { code: json.code, message: json.message }
}

function passkey(service: TestService, origin = ORIGIN, credentialIdLength = 32) {
  const device = createAuthenticator({ randomBytes: service.world.randomBytes, credentialIdLength })
  const attestation = device.register(CHALLENGE, origin)
  return { device, params: { authenticatorName: 'Phone', challenge: CHALLENGE, attestation } }
}

async function allowOrDeny(service: TestService, effect: string, condition: string, userId: string) {
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: `${effect} ${condition}`.slice(0, 200),
    effect,
    condition,
    consensus: `approvers.any(user, user.id == '${userId}')`,
    notes: '',
  })
}

test('members add keys to themselves by both forms, in the order of the request, and the keys work', async () => {
  const service = await started()
  const member = await service.user('Member')
  const { userId } = member
  const old = service.newKey()
  const { apiKeyIds: v1 } = await service.done(member, 'ACTIVITY_TYPE_CREATE_API_KEYS', {
    userId,
    apiKeys: [{ apiKeyName: 'Old form', publicKey: old.publicKey }],
  })
  const ed = service.newKey('SIGNATURE_SCHEME_TK_API_ED25519')
  const v2 = await addKeys(service, member, [
    { apiKeyName: 'Ed', publicKey: ed.publicKey.toUpperCase(), curveType: 'API_KEY_CURVE_ED25519' },
    apiKey(service, '900'),
  ])
  assert.deepEqual((await keysOf(service, userId)).slice(1), [...v1, ...v2])
  for (const key of [old, ed]) assert.equal((await service.query({ ...member, key }, 'whoami')).status, 200)

  const { json } = await service.query(member, 'get_api_key', { apiKeyId: v2[1] })
  assert.equal(json.apiKey.expirationSeconds, '900')
  assert.equal(json.apiKey.credential.type, 'CREDENTIAL_TYPE_API_KEY_P256')
  const everyone = await service.query(member, 'get_api_keys')
  assert.equal(everyone.json.apiKeys.length, 5)
  for (const [operation, body] of [
    ['get_api_key', { apiKeyId: NOBODY }],
    ['get_api_keys', { userId: NOBODY }],
    ['get_authenticator', { authenticatorId: NOBODY }],
    ['get_authenticators', { userId: NOBODY }],
    ['get_oauth_providers', { userId: NOBODY }],
  ] as const)
    assert.equal((await service.query(member, operation, body)).json.code, 5, operation)
  const providers = await service.query(member, 'get_oauth_providers', { userId })
  assert.deepEqual(providers.json, { oauthProviders: [] })
})

test('members delete their own keys, all but the last way in', async () => {
  const service = await started()
  const member = await service.user('Member')
  const { userId } = member
  const [first = ''] = await keysOf(service, userId)
  const remove = { userId, apiKeyIds: [first] }
  assert.deepEqual(await refused(service, member, 'ACTIVITY_TYPE_DELETE_API_KEYS', remove), {
    code: 3,
    message: `user missing valid credential: ${userId}`,
  })
  const [second = ''] = await addKeys(service, member, [apiKey(service)])
  const { code } = await refused(service, member, 'ACTIVITY_TYPE_DELETE_API_KEYS', {
    userId,
    apiKeyIds: [first, second],
  })
  assert.equal(code, 3)
  assert.deepEqual(await service.done(member, 'ACTIVITY_TYPE_DELETE_API_KEYS', remove), {
    apiKeyIds: [first],
  })
  assert.equal((await service.query(member, 'whoami')).status, 401)
  const again = await service.submit(member, 'ACTIVITY_TYPE_DELETE_API_KEYS', remove)
  assert.equal(again.status, 401, 'the same bytes are those of a stranger by now')
  assert.deepEqual(await keysOf(service, userId), [second])
})

test('credentials of somebody else are found neither in their place nor in ours', async () => {
  const service = await started()
  const member = await service.user('Member')
  const other = await service.user('Other')
  const [theirs = ''] = await keysOf(service, other.userId)
  assert.deepEqual(
    await refused(service, member, 'ACTIVITY_TYPE_DELETE_API_KEYS', {
      userId: member.userId,
      apiKeyIds: [theirs],
    }),
    { code: 5, message: `unable to find api key ${theirs} of user ${member.userId}` },
  )
  assert.deepEqual(
    await refused(service, member, 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS', {
      userId: member.userId,
      authenticatorIds: [NOBODY],
    }),
    { code: 5, message: `unable to find authenticator ${NOBODY} of user ${member.userId}` },
  )
  const attempts: readonly (readonly [string, object])[] = [
    [CREATE_KEYS, { userId: other.userId, apiKeys: [apiKey(service)] }],
    ['ACTIVITY_TYPE_DELETE_API_KEYS', { userId: other.userId, apiKeyIds: [theirs] }],
    [CREATE_PASSKEYS, { userId: other.userId, authenticators: [passkey(service).params] }],
    ['ACTIVITY_TYPE_DELETE_AUTHENTICATORS', { userId: other.userId, authenticatorIds: [NOBODY] }],
  ]
  for (const [type, parameters] of attempts)
    assert.equal((await refused(service, member, type, parameters)).code, 7, type)
  await service.done(service.root, CREATE_KEYS, { userId: other.userId, apiKeys: [apiKey(service)] })
})

test('a policy takes the right over their own credentials from users, or gives it over those of others', async () => {
  const service = await started()
  const member = await service.user('Member')
  const other = await service.user('Other')
  const kind = "activity.kind == 'CREATE_API_KEYS'"
  await allowOrDeny(
    service,
    'EFFECT_ALLOW',
    `${kind} && activity.params.user_id == '${other.userId}'`,
    member.userId,
  )
  await service.done(member, CREATE_KEYS, { userId: other.userId, apiKeys: [apiKey(service)] })
  await addKeys(service, member, [apiKey(service)])
  await allowOrDeny(
    service,
    'EFFECT_DENY',
    `${kind} && activity.params.user_id == '${member.userId}'`,
    member.userId,
  )
  const own = { userId: member.userId, apiKeys: [apiKey(service)] }
  assert.equal((await refused(service, member, CREATE_KEYS, own)).code, 7)

  const [first = ''] = await keysOf(service, member.userId)
  const named = `activity.kind == 'DELETE_API_KEYS' && '${first}' in activity.params.api_key_ids`
  await allowOrDeny(service, 'EFFECT_DENY', named, member.userId)
  const removal = { userId: member.userId, apiKeyIds: [first] }
  assert.equal((await refused(service, member, 'ACTIVITY_TYPE_DELETE_API_KEYS', removal)).code, 7)
})

test('a passkey whose id has 1,023 bytes is registered, listed and used; a longer one is refused', async () => {
  const service = await started()
  const { device, params } = passkey(service, ORIGIN, 1023)
  const { userId } = service.root
  await service.done(service.root, CREATE_PASSKEYS, { userId, authenticators: [params] })
  const { json } = await service.query(service.root, 'get_authenticators', { userId })
  assert.equal(json.authenticators[0].credentialId, device.credentialId)
  const body = JSON.stringify({ organizationId: service.organizationId })
  const { stampHeaderName, stampHeaderValue } = device.assert(body, ORIGIN)
  const stamped = { [stampHeaderName]: stampHeaderValue }
  assert.equal((await service.post('/public/v1/query/whoami', body, stamped)).status, 200)
  const longer = { userId, authenticators: [passkey(service, ORIGIN, 1024).params] }
  assert.match((await refused(service, service.root, CREATE_PASSKEYS, longer)).message, /credentialId/)
})

test('an organization may ask that passkeys verify their user, and then a touch alone stamps nothing', async () => {
  const service = await started()
  const { device, params } = passkey(service)
  const { userId, organizationId } = service.root
  await service.done(service.root, CREATE_PASSKEYS, { userId, authenticators: [params] })
  const whoami = async (flags: number, by = device, where = organizationId) => {
    const body = JSON.stringify({ organizationId: where })
    const { stampHeaderName, stampHeaderValue } = by.assert(body, ORIGIN, { flags })
    const { status } = await service.post('/public/v1/query/whoami', body, {
      [stampHeaderName]: stampHeaderValue,
    })
    return status
  }
  assert.deepEqual([await whoami(0x01), await whoami(0x05)], [200, 200])
  const name = 'FEATURE_NAME_WEBAUTHN_USER_VERIFICATION'
  await service.done(service.root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name, value: '' })
  assert.deepEqual([await whoami(0x01), await whoami(0x05)], [401, 200])
  const customer = passkey(service)
  const { subOrganizationId } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
    subOrganizationName: 'Customer',
    rootUsers: [{ userName: 'Customer', apiKeys: [], authenticators: [customer.params], oauthProviders: [] }],
    rootQuorumThreshold: 1,
  })
  assert.equal(await whoami(0x01, customer.device, subOrganizationId), 200, 'of its own organization alone')
})

test('a user has ten long-lived keys and not eleven', async () => {
  const service = await started()
  const member = await service.user('Member')
  await addKeys(
    service,
    member,
    Array.from({ length: 9 }, () => apiKey(service)),
  )
  const eleventh = { userId: member.userId, apiKeys: [apiKey(service)] }
  const { code, message } = await refused(service, member, CREATE_KEYS, eleventh)
  assert.equal(code, 8)
  assert.match(message, /^user has exceeded maximum long-lived api keys/)
  await addKeys(service, member, [apiKey(service, '900')])
})

test('an eleventh expiring key pushes out one that has expired, else the oldest, and never one that came with it', async () => {
  const service = await started()
  const member = await service.user('Member')
  const [longLived = ''] = await keysOf(service, member.userId)
  const [oldest = ''] = await addKeys(service, member, [apiKey(service, '900')])
  const [short = ''] = await addKeys(service, member, [apiKey(service, '1')])
  const rest = await addKeys(
    service,
    member,
    Array.from({ length: 8 }, () => apiKey(service, '900')),
  )
  service.world.advance(1_000)

  const first = await addKeys(service, member, [apiKey(service, '900')])
  assert.deepEqual(await keysOf(service, member.userId), [longLived, oldest, ...rest, ...first])
  assert.equal((await keysOf(service, member.userId)).includes(short), false)
  const second = await addKeys(service, member, [apiKey(service, '900')])
  assert.deepEqual(await keysOf(service, member.userId), [longLived, ...rest, ...first, ...second])
  const third = await addKeys(service, member, [apiKey(service, '900'), apiKey(service, '900')])
  assert.deepEqual(await keysOf(service, member.userId), [
    longLived,
    ...rest.slice(2),
    ...first,
    ...second,
    ...third,
  ])

  const eleven = { userId: member.userId, apiKeys: Array.from({ length: 11 }, () => apiKey(service, '900')) }
  const { code, message } = await refused(service, member, CREATE_KEYS, eleven)
  assert.equal(code, 8)
  assert.match(message, /^user has exceeded maximum short-lived api keys/)
})

test('a key that has expired is refused from the instant on that it names', async () => {
  const service = await started()
  const member = await service.user('Member')
  const key = service.newKey()
  await addKeys(service, member, [{ ...apiKey(service, '60'), publicKey: key.publicKey }])
  service.world.advance(59_999)
  assert.equal((await service.query({ ...member, key }, 'whoami')).status, 200)
  service.world.advance(1)
  const { status, json } = await service.query({ ...member, key }, 'whoami')
  assert.equal(status, 401)
  assert.match(
    json.message,
    /^authentication failed: code = Unauthenticated desc = expired api key publicKey=0/,
  )
})

test('a public key that anyone of the organization holds is refused, in whatever case it is written', async () => {
  const service = await started()
  const member = await service.user('Member')
  const other = await service.user('Other')
  const taken = { ...apiKey(service), publicKey: other.key.publicKey.toUpperCase() }
  const { code, message } = await refused(service, member, CREATE_KEYS, {
    userId: member.userId,
    apiKeys: [taken],
  })
  assert.equal(code, 3)
  assert.match(message, /^credential must be unique/)
  const wrong = { ...apiKey(service), publicKey: `04${other.key.publicKey.slice(2)}` }
  const malformed = await refused(service, member, CREATE_KEYS, { userId: member.userId, apiKeys: [wrong] })
  assert.match(malformed.message, /^invalid api key: /)
})

test('passkeys are added by both forms, sign in, and are deleted', async () => {
  const service = await started()
  const member = await service.user('Member')
  const { userId, organizationId } = member
  const { device, params } = passkey(service)
  const { authenticatorIds } = await service.done(member, CREATE_PASSKEYS, {
    userId,
    authenticators: [params],
  })
  const older = passkey(service).params
  const { authenticatorIds: olderIds } = await service.done(member, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS', {
    userId,
    authenticators: [
      {
        authenticatorName: 'Old form',
        userId,
        challenge: CHALLENGE,
        attestation: {
          id: older.attestation.credentialId,
          rawId: older.attestation.credentialId,
          type: 'public-key',
          authenticatorAttachment: 'platform',
          response: {
            clientDataJson: older.attestation.clientDataJson,
            attestationObject: older.attestation.attestationObject,
          },
          clientExtensionResults: {},
        },
      },
    ],
  })

  const { json } = await service.query(member, 'get_authenticators', { userId })
  assert.deepEqual(
    json.authenticators.map((authenticator: { authenticatorId: string }) => authenticator.authenticatorId),
    [...authenticatorIds, ...olderIds],
  )
  const item = await service.query(member, 'get_authenticator', { authenticatorId: authenticatorIds[0] })
  const { createdAt: _, updatedAt: __, ...told } = item.json.authenticator
  assert.deepEqual(told, {
    transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
    attestationType: 'none',
    aaguid: 'A'.repeat(22),
    credentialId: device.credentialId,
    model: '',
    credential: { publicKey: device.publicKey, type: 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR' },
    authenticatorId: authenticatorIds[0],
    authenticatorName: 'Phone',
  })
  const body = JSON.stringify({ organizationId })
  const whoami = async () => {
    const { stampHeaderName, stampHeaderValue } = device.assert(body, ORIGIN)
    return await service.post('/public/v1/query/whoami', body, { [stampHeaderName]: stampHeaderValue })
  }
  assert.equal((await whoami()).json.userId, userId)
  assert.deepEqual(
    await service.done(member, 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS', { userId, authenticatorIds }),
    {
      authenticatorIds,
    },
  )
  assert.notEqual((await whoami()).status, 200)
})

test('a passkey may be the last way in, and is then not deleted', async () => {
  const service = await started()
  const { root } = service
  const { userIds } = await service.done(root, 'ACTIVITY_TYPE_CREATE_USERS_V4', {
    users: [
      {
        userName: 'Passkey',
        apiKeys: [],
        authenticators: [passkey(service).params],
        oauthProviders: [],
        userTags: [],
      },
    ],
  })
  const [userId] = userIds
  const { json } = await service.query(root, 'get_authenticators', { userId })
  const authenticatorIds = json.authenticators.map(
    (authenticator: { authenticatorId: string }) => authenticator.authenticatorId,
  )
  assert.deepEqual(
    await refused(service, root, 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS', { userId, authenticatorIds }),
    { code: 3, message: `user missing valid credential: ${userId}` },
  )
})

test('a passkey is refused that does not verify, comes from elsewhere, is known, or is one too many', async () => {
  const service = await started()
  const { root } = service
  const { userId } = root
  const add = async (...authenticators: readonly object[]) =>
    await refused(service, root, CREATE_PASSKEYS, { userId, authenticators })
  const { params } = passkey(service)

  const invalid = /^invalid authenticator attestation/
  assert.match((await add({ ...params, challenge: 'b3RoZXI' })).message, invalid)
  assert.equal(
    (await add({ ...params, attestation: { ...params.attestation, attestationObject: '' } })).message,
    'missing parameter: user authenticator attestation',
  )
  const foreign = passkey(service).params.attestation.attestationObject
  assert.match(
    (await add({ ...params, attestation: { ...params.attestation, attestationObject: foreign } })).message,
    invalid,
  )

  await service.done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
    name: 'FEATURE_NAME_WEBAUTHN_ORIGINS',
    value: `https://other.example.com, ${ORIGIN}`,
  })
  assert.match(
    (await add(passkey(service, 'https://evil.example.com').params)).message,
    /origin .* is not allowed/,
  )
  const user = { userName: 'X', apiKeys: [], oauthProviders: [], userTags: [] }
  const users = [{ ...user, authenticators: [passkey(service, 'https://evil.example.com').params] }]
  assert.match(
    (await refused(service, root, 'ACTIVITY_TYPE_CREATE_USERS_V4', { users })).message,
    /is not allowed/,
  )

  await service.done(root, CREATE_PASSKEYS, { userId, authenticators: [params] })
  assert.match((await add(params)).message, /^credential must be unique/)
  const nine = Array.from({ length: 9 }, () => passkey(service).params)
  await service.done(root, CREATE_PASSKEYS, { userId, authenticators: nine })
  const eleventh = await add(passkey(service).params)
  assert.equal(eleventh.code, 8)
  assert.match(eleventh.message, /^user has exceeded maximum authenticators/)
})

test('the first form of a passkey names one user, twice', async () => {
  const service = await started()
  const { attestation } = passkey(service).params
  const { code, message } = await refused(service, service.root, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS', {
    userId: service.root.userId,
    authenticators: [
      {
        authenticatorName: 'Phone',
        userId: NOBODY,
        challenge: CHALLENGE,
        attestation: {
          id: attestation.credentialId,
          rawId: attestation.credentialId,
          type: 'public-key',
          response: {
            clientDataJson: attestation.clientDataJson,
            attestationObject: attestation.attestationObject,
          },
          clientExtensionResults: {},
        },
      },
    ],
  })
  assert.equal(code, 3)
  assert.match(message, /must name the user of `userId`/)
})
