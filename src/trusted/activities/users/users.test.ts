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

function apiKey(service: TestService, curve: 'P256' | 'SECP256K1' | 'ED25519' = 'P256') {
  const { publicKey } = service.newKey(`SIGNATURE_SCHEME_TK_API_${curve}`)
  return { apiKeyName: 'Key', publicKey, curveType: `API_KEY_CURVE_${curve}` }
}

function plainUser(service: TestService, userName: string, more: object = {}) {
  return {
    userName,
    apiKeys: [apiKey(service)],
    authenticators: [],
    oauthProviders: [],
    userTags: [],
    ...more,
  }
}

async function create(service: TestService, ...users: readonly object[]): Promise<readonly string[]> {
  const { userIds } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_USERS_V4', { users })
  return userIds
}

/** The error of a request that must be refused: its code and message. */
async function refused(service: TestService, by: Member, type: string, parameters: object) {
  service.world.advance(1)
  const { status, json } = await service.submit(by, type, parameters)
  assert.notEqual(status, 200, JSON.stringify(json))
  return { code: json.code, message: json.message }
}

async function userOf(service: TestService, userId: string) {
  const { status, json } = await service.query(service.root, 'get_user', { userId })
  assert.equal(status, 200, JSON.stringify(json))
  return json.user
}

test('users are created by every published form, in the order of the request, and are read back', async () => {
  const service = await started()
  const { userTagId } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'Signers',
    userIds: [],
  })
  const keyV1 = () => ({ apiKeyName: 'Key', publicKey: service.newKey().publicKey })
  const challenge = Buffer.from('a challenge of our own').toString('base64url')
  const attested = () => {
    const authenticator = createAuthenticator({ randomBytes: service.world.randomBytes })
    return authenticator.register(challenge, ORIGIN)
  }
  const first = attested()
  const { userIds: v1 } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_USERS', {
    users: [
      {
        userName: 'One',
        userEmail: 'one@example.com',
        accessType: 'ACCESS_TYPE_ALL',
        apiKeys: [keyV1()],
        authenticators: [
          {
            authenticatorName: 'Phone',
            userId: '',
            challenge,
            attestation: {
              id: first.credentialId,
              rawId: first.credentialId,
              type: 'public-key',
              response: {
                clientDataJson: first.clientDataJson,
                attestationObject: first.attestationObject,
                transports: ['AUTHENTICATOR_TRANSPORT_HYBRID'],
              },
              clientExtensionResults: { credProps: { rk: true } },
            },
          },
        ],
        userTags: [userTagId],
      },
    ],
  })
  const { userIds: v2 } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_USERS_V2', {
    users: [
      {
        userName: 'Two',
        apiKeys: [],
        authenticators: [{ authenticatorName: 'Phone', challenge, attestation: attested() }],
        userTags: [],
      },
    ],
  })
  const { userIds: v3 } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_USERS_V3', {
    users: [
      {
        ...plainUser(service, 'Three', { userPhoneNumber: '+15551234567' }),
        apiKeys: [apiKey(service, 'SECP256K1'), apiKey(service, 'ED25519')],
      },
      plainUser(service, 'Four'),
    ],
  })
  const v4 = await create(service, plainUser(service, 'Five'))

  const { json } = await service.query(service.root, 'list_users')
  const [root, ...others] = json.users
  assert.equal(root.userId, service.root.userId)
  assert.deepEqual(
    others.map((user: { userId: string }) => user.userId),
    [...v1, ...v2, ...v3, ...v4],
  )
  assert.deepEqual(
    others.map((user: { userName: string }) => user.userName),
    ['One', 'Two', 'Three', 'Four', 'Five'],
  )
  const [one, two, three] = others
  assert.equal(one.userEmail, 'one@example.com')
  assert.deepEqual(one.userTags, [userTagId])
  assert.equal(one.apiKeys[0].credential.type, 'CREDENTIAL_TYPE_API_KEY_P256')
  assert.equal(one.authenticators[0].credentialId, first.credentialId)
  assert.deepEqual(one.authenticators[0].transports, ['AUTHENTICATOR_TRANSPORT_HYBRID'])
  assert.equal(one.authenticators[0].attestationType, 'none')
  assert.equal('userEmail' in two, false)
  assert.equal(three.userPhoneNumber, '+15551234567')
  assert.deepEqual(
    three.apiKeys.map((key: { credential: { type: string } }) => key.credential.type),
    ['CREDENTIAL_TYPE_API_KEY_SECP256K1', 'CREDENTIAL_TYPE_API_KEY_ED25519'],
  )
  assert.deepEqual(one.oauthProviders, [])
  assert.deepEqual(one.mfaPolicies, [])
})

test('users who have only API keys are created by the oldest activity', async () => {
  const service = await started()
  const { userIds } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_API_ONLY_USERS', {
    apiOnlyUsers: [
      {
        userName: 'Server',
        userTags: [],
        apiKeys: [{ apiKeyName: 'Key', publicKey: service.newKey().publicKey }],
      },
    ],
  })
  assert.equal((await userOf(service, userIds[0])).apiKeys.length, 1)
  const without = await refused(service, service.root, 'ACTIVITY_TYPE_CREATE_API_ONLY_USERS', {
    apiOnlyUsers: [{ userName: 'Nobody', userTags: [], apiKeys: [] }],
  })
  assert.equal(without.code, 3)
  assert.match(without.message, /^user missing valid credential: [0-9a-f-]{36}$/)
})

test('one user who cannot be created leaves none of the request', async () => {
  const service = await started()
  const key = apiKey(service)
  const twice = [plainUser(service, 'A', { apiKeys: [key] }), plainUser(service, 'B', { apiKeys: [key] })]
  const { code, message } = await refused(service, service.root, 'ACTIVITY_TYPE_CREATE_USERS_V4', {
    users: twice,
  })
  assert.equal(code, 3)
  assert.match(message, /^credential must be unique/)
  const { json } = await service.query(service.root, 'list_users')
  assert.equal(json.users.length, 1)
})

test('an organization refuses the hundred and first user, a name or key it has, and a user without a way in', async () => {
  const service = await started()
  const known = apiKey(service)
  await create(service, plainUser(service, 'Known', { apiKeys: [known] }))
  const tryToCreate = async (...users: readonly object[]) =>
    await refused(service, service.root, 'ACTIVITY_TYPE_CREATE_USERS_V4', { users })

  assert.match((await tryToCreate(plainUser(service, 'Known'))).message, /^user label must be unique/)
  assert.match(
    (await tryToCreate(plainUser(service, 'Other', { apiKeys: [known] }))).message,
    /^credential must be unique/,
  )
  const closed = { apiKeys: [], userEmail: 'closed@example.com', userPhoneNumber: '+15551234567' }
  const shutOut = await tryToCreate(plainUser(service, 'Closed', closed))
  assert.match(shutOut.message, /^user missing valid credential: /)
  const many = Array.from({ length: 99 }, (_, index) => plainUser(service, `User ${index}`))
  const tooMany = await tryToCreate(...many)
  assert.deepEqual(
    { ...tooMany },
    { code: 8, message: 'organization has exceeded maximum users: there may be 100' },
  )
  assert.equal((await create(service, ...many.slice(1))).length, 98)
})

test('a contact is a way in once its login is switched on, and cannot be taken from a user who has no other', async () => {
  const service = await started()
  await service.done(service.root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
    name: 'FEATURE_NAME_OTP_EMAIL_AUTH',
    value: '',
  })
  const mailOnly = plainUser(service, 'Mail', { apiKeys: [], userEmail: 'mail@example.com' })
  const [userId = ''] = await create(service, mailOnly)
  const emptied = { userId, userEmail: '' }
  const { code, message } = await refused(service, service.root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', emptied)
  assert.deepEqual({ code, message }, { code: 3, message: `user missing valid credential: ${userId}` })
  assert.match(
    (await refused(service, service.root, 'ACTIVITY_TYPE_UPDATE_USER', emptied)).message,
    /^user missing valid credential/,
  )

  await service.done(service.root, 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE', {
    name: 'FEATURE_NAME_OTP_EMAIL_AUTH',
  })
  await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_USER_NAME', { userId, userName: 'Shut out' })
  assert.equal((await userOf(service, userId)).userName, 'Shut out')
})

test('empty contacts of a new user count as absent', async () => {
  const service = await started()
  const [userId = ''] = await create(
    service,
    plainUser(service, 'Blank', { userEmail: '', userPhoneNumber: '' }),
  )
  const user = await userOf(service, userId)
  assert.equal('userEmail' in user || 'userPhoneNumber' in user, false)
})

test('contacts are refused unless they are an e-mail address and an E.164 number', async () => {
  const service = await started()
  const email = async (userEmail: string) =>
    await refused(service, service.root, 'ACTIVITY_TYPE_CREATE_USERS_V3', {
      users: [plainUser(service, 'X', { userEmail })],
    })
  const wrong = [
    'a',
    'a@b',
    '@example.com',
    'a@@example.com',
    'a@example..com',
    'a@-x.com',
    'a b@example.com',
  ]
  for (const userEmail of [
    ...wrong,
    'a@example.1',
    '.a@example.com',
    `${'x'.repeat(65)}@example.com`,
    'a@b.c',
  ]) {
    const { code, message } = await email(userEmail)
    assert.equal(code, 3)
    assert.equal(message, `invalid email address: ${JSON.stringify(userEmail)}`)
  }
  for (const userPhoneNumber of [
    '15551234567',
    '+05551234567',
    '+1 555 1234567',
    '+1',
    `+${'1'.repeat(16)}`,
  ]) {
    const users = [plainUser(service, 'X', { userPhoneNumber })]
    const { code, message } = await refused(service, service.root, 'ACTIVITY_TYPE_CREATE_USERS_V3', { users })
    assert.equal(code, 3)
    assert.match(message, /^invalid phone number: /)
  }
  const right = ['a.b+c@sub.example.co.uk', "o'neil@example.com", 'x@xn--bcher-kva.example', 'A@EXAMPLE.COM']
  for (const userEmail of right) await create(service, plainUser(service, userEmail, { userEmail }))
})

test('keys, tags and providers of a new user are checked', async () => {
  const service = await started()
  const message = async (more: object) =>
    (
      await refused(service, service.root, 'ACTIVITY_TYPE_CREATE_USERS_V4', {
        users: [plainUser(service, 'X', more)],
      })
    ).message
  const key = apiKey(service)
  assert.match(await message({ apiKeys: [{ ...key, publicKey: '02'.repeat(32) }] }), /^invalid api key: /)
  assert.match(
    await message({ apiKeys: [{ ...key, curveType: 'API_KEY_CURVE_ED25519' }] }),
    /^invalid api key: /,
  )
  for (const expirationSeconds of ['0', '-1', '1.5', '', '1e3', ' 5', '99999999999', 900]) {
    assert.match(await message({ apiKeys: [{ ...key, expirationSeconds }] }), /^invalid api key expiration: /)
  }
  assert.equal(await message({ userTags: [NOBODY] }), `unable to find user tag ${NOBODY}`)
  assert.match(await message({ userTags: ['Signers'] }), /users\[0\]\.userTags\[0\]` must be a UUID/)
  const provider = { providerName: 'Google', oidcToken: 'e30.e30.e30' }
  assert.match(await message({ oauthProviders: [provider] }), /^invalid OIDC token: /)
})

test('each part of a user is changed by its own activity, and by the one for all', async () => {
  const service = await started()
  const { userTagId } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'Tag',
    userIds: [],
  })
  const [userId = ''] = await create(service, plainUser(service, 'Ada'), plainUser(service, 'Taken'))
  const update = async (what: string, parameters: object) =>
    await service.done(service.root, `ACTIVITY_TYPE_UPDATE_USER${what}`, { userId, ...parameters })

  assert.deepEqual(await update('_NAME', { userName: 'Ada L' }), { userId })
  assert.deepEqual(await update('_EMAIL', { userEmail: 'ada@example.com' }), { userId })
  assert.deepEqual(await update('_PHONE_NUMBER', { userPhoneNumber: '+442071838750' }), { userId })
  const known = await userOf(service, userId)
  assert.deepEqual(
    [known.userName, known.userEmail, known.userPhoneNumber],
    ['Ada L', 'ada@example.com', '+442071838750'],
  )
  await update('_EMAIL', { userEmail: '' })
  await update('_PHONE_NUMBER', { userPhoneNumber: '' })
  const bare = await userOf(service, userId)
  assert.equal('userEmail' in bare || 'userPhoneNumber' in bare, false)

  await update('', { userName: 'Ada', userEmail: 'ada@example.com', userTagIds: [userTagId] })
  await update('', { userPhoneNumber: '+442071838750' })
  const whole = await userOf(service, userId)
  assert.deepEqual(
    [whole.userName, whole.userEmail, whole.userPhoneNumber, whole.userTags],
    ['Ada', 'ada@example.com', '+442071838750', [userTagId]],
  )
  assert.equal(whole.apiKeys.length, 1)
  assert.notDeepEqual(whole.updatedAt, whole.createdAt)
  await update('', { userEmail: '' })
  assert.equal('userEmail' in (await userOf(service, userId)), false)
})

test('an empty list of tags strips a user of them where it comes alone, and never beside another change', async () => {
  const service = await started()
  const { userTagId } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'Tag',
    userIds: [],
  })
  const [userId = ''] = await create(service, { ...plainUser(service, 'Ada'), userTags: [userTagId] })
  // As a client in Rust writes each of them.
  const unset = { userName: null, userEmail: null, userTagIds: [], userPhoneNumber: null }
  for (const change of [{ userName: 'Bob' }, { userEmail: 'bob@example.com' }, { userEmail: '' }]) {
    const { json } = await service.submit(service.root, 'ACTIVITY_TYPE_UPDATE_USER', {
      userId,
      ...unset,
      ...change,
    })
    assert.deepEqual(json.activity.intent, { updateUserIntent: { userId, ...change } })
    assert.deepEqual((await userOf(service, userId)).userTags, [userTagId], JSON.stringify(change))
  }
  await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_USER', { userId, ...unset })
  assert.deepEqual((await userOf(service, userId)).userTags, [])
})

test('a change of a user is refused where it names nobody, takes a name, or carries what is not supported', async () => {
  const service = await started()
  const [userId = ''] = await create(service, plainUser(service, 'Ada'), plainUser(service, 'Taken'))
  const of = async (what: string, parameters: object) =>
    await refused(service, service.root, `ACTIVITY_TYPE_UPDATE_USER${what}`, { userId, ...parameters })

  const changes = {
    '': {},
    _NAME: { userName: 'X' },
    _EMAIL: { userEmail: '' },
    _PHONE_NUMBER: { userPhoneNumber: '' },
  }
  for (const [what, change] of Object.entries(changes)) {
    assert.deepEqual(await of(what, { ...change, userId: NOBODY }), {
      code: 5,
      message: `unable to find user ${NOBODY} in organization ${service.organizationId}`,
    })
  }
  for (const what of ['', '_NAME'])
    assert.match((await of(what, { userName: 'Taken' })).message, /^user label must be unique/)
  for (const what of ['', '_EMAIL'])
    assert.match((await of(what, { userEmail: 'x' })).message, /^invalid email address/)
  for (const what of ['', '_PHONE_NUMBER'])
    assert.match((await of(what, { userPhoneNumber: 'x' })).message, /^invalid phone number/)
  assert.match((await of('', { userTagIds: [NOBODY] })).message, /^unable to find user tag/)
  const proven = { userEmail: 'a@example.com', verificationToken: 'e30.e30.e30' }
  assert.match((await of('_EMAIL', proven)).message, /^invalid verification token: malformed/)
  assert.match(
    (await of('_PHONE_NUMBER', { userPhoneNumber: '', verificationToken: 'x' })).message,
    /^invalid verification token: malformed/,
  )
})

test('deleted users are gone with their keys; a user of the root quorum stays', async () => {
  const service = await started()
  const member = await service.user('Ada')
  const [other = ''] = await create(service, plainUser(service, 'Other'))
  const { root } = service
  assert.deepEqual(
    await refused(service, root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [other, root.userId] }),
    { code: 3, message: `quorum users missing: ${root.userId}` },
  )
  assert.deepEqual(await refused(service, root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [NOBODY] }), {
    code: 5,
    message: `unable to find user ${NOBODY} in organization ${service.organizationId}`,
  })
  assert.equal((await service.query(member, 'whoami')).status, 200)
  assert.deepEqual(
    await service.done(root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [other, member.userId] }),
    { userIds: [other, member.userId] },
  )
  assert.equal((await service.query(member, 'whoami')).status, 401)
  const { status, json } = await service.query(root, 'get_user', { userId: other })
  assert.deepEqual([status, json.code], [404, 5])
  await create(service, plainUser(service, 'Other'))
})

test('a policy may let users delete themselves and nobody else', async () => {
  const service = await started()
  const member = await service.user('Leaver')
  const other = await service.user('Stayer')
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Leave',
    effect: 'EFFECT_ALLOW',
    condition: `activity.kind == 'DELETE_USERS' && activity.params.user_ids.count() == 1 && '${member.userId}' in activity.params.user_ids`,
    consensus: `approvers.any(user, user.id == '${member.userId}')`,
    notes: '',
  })
  const denied = await refused(service, member, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [other.userId] })
  assert.equal(denied.code, 7)
  await service.done(member, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [member.userId] })
})

test('a user tag is given, renamed, taken and deleted, and policies that name it stay', async () => {
  const service = await started()
  const { root } = service
  const [ada = '', bob = '', eve = ''] = await create(
    service,
    plainUser(service, 'Ada'),
    plainUser(service, 'Bob'),
    plainUser(service, 'Eve'),
  )
  const made = await service.done(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'Signers',
    userIds: [bob, ada],
  })
  const { userTagId } = made
  assert.deepEqual(made.userIds, [bob, ada])
  const { userTagId: another } = await service.done(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'Others',
    userIds: [ada],
  })
  const renamed = await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER_TAG', {
    userTagId,
    newUserTagName: 'Approvers',
    addUserIds: [eve, bob],
    removeUserIds: [ada],
  })
  assert.deepEqual(renamed, { userTagId })
  const { json } = await service.query(root, 'list_user_tags')
  assert.deepEqual(
    json.userTags.map((tag: { tagId: string; tagName: string; tagType: string }) => [
      tag.tagId,
      tag.tagName,
      tag.tagType,
    ]),
    [
      [userTagId, 'Approvers', 'TAG_TYPE_USER'],
      [another, 'Others', 'TAG_TYPE_USER'],
    ],
  )
  const tagsOf = async (userId: string) => (await userOf(service, userId)).userTags
  assert.deepEqual(
    [await tagsOf(ada), await tagsOf(bob), await tagsOf(eve)],
    [[another], [userTagId], [userTagId]],
  )

  const consensus = `approvers.any(user, user.tags.contains('${userTagId}'))`
  const { policyId } = await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Approvers invite',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'INVITATION'",
    consensus,
    notes: '',
  })
  assert.deepEqual(await service.done(root, 'ACTIVITY_TYPE_DELETE_USER_TAGS', { userTagIds: [userTagId] }), {
    userTagIds: [userTagId],
    userIds: [bob, eve],
  })
  assert.deepEqual([await tagsOf(ada), await tagsOf(bob)], [[another], []])
  const policy = await service.query(root, 'get_policy', { policyId })
  assert.equal(policy.json.policy.consensus, consensus)
})

test('a tag is refused where its name is taken, where it is unknown or of the wrong type, and where it names nobody', async () => {
  const service = await started()
  const { root } = service
  const tag = async (userTagName: string, userIds: readonly string[] = []) =>
    await service.done(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds })
  const { userTagId } = await tag('Signers')
  await tag('Others')
  const { privateKeyTagId } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG', {
    privateKeyTagName: 'Signers',
    privateKeyIds: [],
  })
  const none = { addUserIds: [], removeUserIds: [] }
  const create = 'ACTIVITY_TYPE_CREATE_USER_TAG'
  const update = 'ACTIVITY_TYPE_UPDATE_USER_TAG'
  const remove = 'ACTIVITY_TYPE_DELETE_USER_TAGS'
  const message = async (type: string, parameters: object) =>
    (await refused(service, root, type, parameters)).message

  assert.match(await message(create, { userTagName: 'Signers', userIds: [] }), /^tag label must be unique/)
  assert.match(await message(create, { userTagName: 'New', userIds: [NOBODY] }), /^unable to find user /)
  assert.match(
    await message(update, { ...none, userTagId, newUserTagName: 'Others' }),
    /^tag label must be unique/,
  )
  assert.match(await message(update, { ...none, userTagId, addUserIds: [NOBODY] }), /^unable to find user /)
  const unknown = { userTagId, addUserIds: [], removeUserIds: [NOBODY] }
  assert.match(await message(update, unknown), /^unable to find user /)
  const both = { userTagId, addUserIds: [root.userId], removeUserIds: [root.userId] }
  assert.match(await message(update, both), /field `body` cannot both add and remove/)
  for (const wrong of [NOBODY, privateKeyTagId]) {
    assert.equal(await message(update, { ...none, userTagId: wrong }), `unable to find user tag ${wrong}`)
    assert.equal(
      await message(remove, { userTagIds: [userTagId, wrong] }),
      `unable to find user tag ${wrong}`,
    )
    assert.equal(
      await message('ACTIVITY_TYPE_UPDATE_USER', { userId: root.userId, userTagIds: [wrong] }),
      `unable to find user tag ${wrong}`,
    )
  }
  const { json } = await service.query(root, 'list_user_tags')
  assert.equal(json.userTags.length, 2)
})

test('an invitation is kept until it is deleted', async () => {
  const service = await started()
  const { root } = service
  const invitation = (more: object = {}) => ({
    receiverUserName: 'Grace',
    receiverUserEmail: 'grace@example.com',
    receiverUserTags: [],
    accessType: 'ACCESS_TYPE_ALL',
    senderUserId: root.userId,
    ...more,
  })
  const invite = async (...invitations: readonly object[]) =>
    await service.done(root, 'ACTIVITY_TYPE_CREATE_INVITATIONS', { invitations })
  const message = async (more: object) =>
    (await refused(service, root, 'ACTIVITY_TYPE_CREATE_INVITATIONS', { invitations: [invitation(more)] }))
      .message

  const { invitationIds } = await invite(invitation(), invitation())
  assert.equal(new Set(invitationIds).size, 2)
  const [invitationId] = invitationIds
  assert.deepEqual(await service.done(root, 'ACTIVITY_TYPE_DELETE_INVITATION', { invitationId }), {
    invitationId,
  })
  assert.deepEqual(await refused(service, root, 'ACTIVITY_TYPE_DELETE_INVITATION', { invitationId }), {
    code: 5,
    message: `unable to find invitation ${invitationId} in organization ${service.organizationId}`,
  })
  assert.match(await message({ senderUserId: NOBODY }), /^unable to find user /)
  assert.match(await message({ receiverUserTags: [NOBODY] }), /^unable to find user tag /)
  assert.match(await message({ receiverUserEmail: '' }), /^invalid email address/)
  assert.match(await message({ accessType: 'ACCESS_TYPE_NONE' }), /accessType` must be one of/)
  await invite(...Array.from({ length: 99 }, () => invitation()))
  assert.equal(await message({}), 'organization has exceeded maximum invitations: there may be 100')
})

test('without a policy, a member may change no user, not even their own', async () => {
  const service = await started()
  const member = await service.user('Member')
  const { userId } = member
  const attempts: readonly (readonly [string, object])[] = [
    ['UPDATE_USER', { userId, userName: 'X' }],
    ['UPDATE_USER_NAME', { userId, userName: 'X' }],
    ['UPDATE_USER_EMAIL', { userId, userEmail: 'x@example.com' }],
    ['UPDATE_USER_PHONE_NUMBER', { userId, userPhoneNumber: '+15551234567' }],
    ['DELETE_USERS', { userIds: [userId] }],
    ['CREATE_USERS_V4', { users: [plainUser(service, 'New')] }],
    ['CREATE_USER_TAG', { userTagName: 'X', userIds: [userId] }],
  ]
  for (const [type, parameters] of attempts)
    assert.equal((await refused(service, member, `ACTIVITY_TYPE_${type}`, parameters)).code, 7, type)
})
