import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EmailMessage, Message } from '../../catalogue/message.ts'
import { sentMessages } from '../../../../test/support/messages.ts'
import type { Member, TestService } from '../../../../test/support/service.ts'
import { aSubOrganizationOf, aTarget, keyInBundle, refused, started, userOf } from './testing/logins.ts'

const READ_WRITE = 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION'
const EMAIL_AUTH = 'ACTIVITY_TYPE_EMAIL_AUTH'
const NOBODY = '0198c5a0-7d3c-7000-8000-0000000000ff'

async function whoami(service: TestService, by: Member) {
  const { json } = await service.query(by, 'whoami')
  return json.userId ?? json.turnkeyErrorCode
}

function onlyMail(messages: readonly Message[]): EmailMessage {
  const [mail, ...more] = messages
  assert.ok(mail?.channel === 'email')
  assert.deepEqual(more, [])
  return mail
}

async function feature(service: TestService, by: Member, name: string, isOn = true): Promise<void> {
  const type = isOn ? 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE' : 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE'
  await service.done(by, type, isOn ? { name, value: '' } : { name })
}

test('a read-write session is a key of its own that only the holder of the target opens', async () => {
  const service = await started()
  const ada = await service.user('Ada')
  const target = aTarget(service)

  const result = await service.done(ada, `${READ_WRITE}_V2`, { targetPublicKey: target.publicKey })

  const { apiKeyId, credentialBundle, ...who } = result
  assert.deepEqual(who, {
    organizationId: service.organizationId,
    organizationName: 'Test',
    userId: ada.userId,
    username: 'Ada',
  })
  const key = keyInBundle(credentialBundle, target)
  assert.equal(await whoami(service, { ...ada, key }), ada.userId)
  const { apiKeys } = await userOf(service, ada)
  assert.equal(apiKeys[1].apiKeyId, apiKeyId)
  assert.equal(apiKeys[1].apiKeyName, `Read Write Session - ${new Date(service.world.now()).toISOString()}`)
  assert.deepEqual(apiKeys[1].credential, {
    publicKey: key.publicKey,
    type: 'CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256',
  })
  assert.throws(() => keyInBundle(credentialBundle, aTarget(service)))
  service.world.advance(900_000)
  assert.equal(await whoami(service, { ...ada, key }), 'API_KEY_EXPIRED')
})

test('nobody makes a session for someone else but the root quorum and whom policies allow', async () => {
  const service = await started()
  const ada = await service.user('Ada')
  const grace = await service.user('Grace')
  const target = aTarget(service)
  const forGrace = { targetPublicKey: target.publicKey, userId: grace.userId }

  assert.equal((await refused(service, ada, `${READ_WRITE}_V2`, forGrace)).status, 403)
  // The first version names her by her address.
  const email = 'grace@example.com'
  await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', {
    userId: grace.userId,
    userEmail: email,
  })
  const addressed = { targetPublicKey: target.publicKey, email }
  assert.equal((await refused(service, ada, READ_WRITE, addressed)).status, 403)
  const own = await service.done(ada, `${READ_WRITE}_V2`, { ...forGrace, userId: ada.userId })
  assert.equal(own.userId, ada.userId)
  const byRoot = await service.done(service.root, `${READ_WRITE}_V2`, forGrace)
  const key = keyInBundle(byRoot.credentialBundle, target)
  assert.equal(await whoami(service, { ...grace, key }), grace.userId)
  const unknown = await refused(service, service.root, `${READ_WRITE}_V2`, { ...forGrace, userId: NOBODY })
  assert.equal(unknown.status, 404)
})

test('the first version names the user by an address, in either case; empty, it is oneself', async () => {
  const service = await started()
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada', userEmail: 'Ada@Example.com' }])
  assert.ok(ada)
  const target = aTarget(service)
  for (const email of ['ada@example.com', '']) {
    const result = await service.done(ada, READ_WRITE, { targetPublicKey: target.publicKey, email })
    assert.equal(result.userId, ada.userId)
  }
  const nobody = { targetPublicKey: target.publicKey, email: 'grace@example.com' }
  assert.equal((await refused(service, ada, READ_WRITE, nobody)).status, 404)
})

test('a target that is no key is refused before anyone is asked', async () => {
  const service = await started()
  const userIds = [service.root.userId, (await service.user('Ada')).userId]
  await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  for (const targetPublicKey of ['', 'x', '02', `04${'00'.repeat(64)}`]) {
    const email = { email: 'a@example.com', emailCustomization: { appName: 'Shop' } }
    for (const [type, more] of [
      [`${READ_WRITE}_V2`, {}],
      [`${EMAIL_AUTH}_V3`, email],
      ['ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2', email],
    ] as const) {
      const { status, message } = await refused(service, service.root, type, { targetPublicKey, ...more })
      assert.equal(status, 400)
      assert.match(message, /^invalid targetPublicKey/)
    }
  }
})

test('email auth mails the credential to its user, and tells its sender nothing of it', async () => {
  const service = await started()
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada', userEmail: 'Ada@example.com' }])
  assert.ok(ada)
  const { organizationId } = ada
  await feature(service, service.root, 'FEATURE_NAME_EMAIL_AUTH')
  const target = aTarget(service)
  await sentMessages(service)
  const parameters = {
    email: 'ada@example.com',
    targetPublicKey: target.publicKey,
    emailCustomization: { appName: 'Shop', magicLinkTemplate: 'https://shop.example/%s' },
    sendFromEmailAddress: 'hello@shop.example',
  }
  service.world.advance(1)

  const { status, json, text } = await service.submit(service.root, `${EMAIL_AUTH}_V3`, parameters, {
    organizationId,
  })

  assert.equal(status, 200, text)
  const mail = onlyMail(await sentMessages(service))
  const { bundle = '', ...rest } = mail
  assert.deepEqual(rest, {
    channel: 'email',
    about: 'emailAuth',
    to: 'Ada@example.com',
    organizationName: 'Customer',
    expiresAt: service.world.now() + 900_000,
    customization: { appName: 'Shop', magicLinkTemplate: 'https://shop.example/%s' },
    sender: { fromAddress: 'hello@shop.example' },
  })
  assert.ok(!text.includes(bundle))
  const key = keyInBundle(bundle, target)
  assert.equal(await whoami(service, { ...ada, key }), ada.userId)
  await service.done({ ...ada, key }, 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Tag', userIds: [] })
  const { apiKeys } = await userOf(service, ada)
  const { emailAuthResult } = json.activity.result
  assert.deepEqual(emailAuthResult, { userId: ada.userId, apiKeyId: apiKeys[1].apiKeyId })
  assert.match(apiKeys[1].apiKeyName, /^Email Auth - 20/)
  assert.equal(apiKeys[1].credential.type, 'CREDENTIAL_TYPE_EMAIL_AUTH_KEY_P256')
  // The key is that of a session, which another address does not end.
  const moved = { userId: ada.userId, userEmail: 'ada@new.example' }
  await service.done(ada, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', moved)
  assert.equal(await whoami(service, { ...ada, key }), ada.userId)
})

test('every version of email auth mails one bundle, and the same bytes again mail none', async () => {
  const service = await started()
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada', userEmail: 'ada@example.com' }])
  assert.ok(ada)
  await sentMessages(service)
  const base = { email: 'ada@example.com', targetPublicKey: aTarget(service).publicKey, apiKeyName: 'Mine' }
  for (const [type, parameters] of [
    [EMAIL_AUTH, base],
    [`${EMAIL_AUTH}_V2`, { ...base, emailCustomization: {} }],
    [`${EMAIL_AUTH}_V3`, { ...base, emailCustomization: { appName: 'Shop' } }],
  ] as const) {
    service.world.advance(1)
    const first = await service.submit(ada, type, parameters)
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(await service.submit(ada, type, parameters), first)
    onlyMail(await sentMessages(service))
  }
  const { apiKeys } = await userOf(service, ada)
  assert.deepEqual(
    apiKeys.map((key: { apiKeyName: string }) => key.apiKeyName),
    ['Key', 'Mine', 'Mine', 'Mine'],
  )
  const nameless = await refused(service, ada, `${EMAIL_AUTH}_V3`, { ...base, emailCustomization: {} })
  assert.match(nameless.message, /missing field `emailCustomization.appName`/)
})

test('email auth has to be on where it goes to, and with a parent that asks for it', async () => {
  const service = await started()
  const users = [{ userName: 'Ada', userEmail: 'ada@example.com' }]
  const [ada] = await aSubOrganizationOf(service, users, { disableEmailAuth: true })
  assert.ok(ada)
  const { organizationId } = ada
  await sentMessages(service)
  const parameters = {
    email: 'ada@example.com',
    targetPublicKey: aTarget(service).publicKey,
    emailCustomization: { appName: 'Shop' },
  }
  const isOff = (where: string) => ({
    status: 403,
    message: `feature FEATURE_NAME_EMAIL_AUTH is not enabled in organization ${where}: it can be set with set_organization_feature`,
    turnkeyErrorCode: 'FORBIDDEN',
  })
  const byParent = () => refused(service, service.root, `${EMAIL_AUTH}_V3`, parameters, { organizationId })

  assert.deepEqual(await refused(service, ada, `${EMAIL_AUTH}_V3`, parameters), isOff(organizationId))
  await feature(service, service.root, 'FEATURE_NAME_EMAIL_AUTH')
  assert.deepEqual(await byParent(), isOff(organizationId))
  await feature(service, ada, 'FEATURE_NAME_EMAIL_AUTH')
  await feature(service, service.root, 'FEATURE_NAME_EMAIL_AUTH', false)
  assert.deepEqual(await byParent(), isOff(service.organizationId))
  assert.deepEqual(await sentMessages(service), [])
  // The sub-organization itself does not ask its parent.
  await service.done(ada, `${EMAIL_AUTH}_V3`, parameters)
  onlyMail(await sentMessages(service))
})

test('for a parent user email auth takes what the policies of the parent say', async () => {
  const service = await started()
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada', userEmail: 'ada@example.com' }])
  assert.ok(ada)
  const { organizationId } = ada
  await feature(service, service.root, 'FEATURE_NAME_EMAIL_AUTH')
  const backend = await service.user('Backend')
  const parameters = {
    email: 'ada@example.com',
    targetPublicKey: aTarget(service).publicKey,
    emailCustomization: { appName: 'Shop' },
  }
  const denied = await refused(service, backend, `${EMAIL_AUTH}_V3`, parameters, { organizationId })
  assert.equal(denied.status, 403)
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Backend logs people in',
    effect: 'EFFECT_ALLOW',
    consensus: `approvers.any(user, user.id == '${backend.userId}')`,
    condition: "activity.resource == 'AUTH' && activity.action == 'CREATE'",
    notes: '',
  })
  await service.done(backend, `${EMAIL_AUTH}_V3`, parameters, { organizationId })
})

test('a request of the parent stays one of the parent when its sender is deleted', async () => {
  const service = await started()
  const { root } = service
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada', userEmail: 'ada@example.com' }])
  assert.ok(ada)
  const { organizationId } = ada
  const [pat, quin] = [await service.user('Pat'), await service.user('Quin')]
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two mail keys',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'EMAIL_AUTH'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  })
  const parameters = { email: 'ada@example.com', targetPublicKey: aTarget(service).publicKey }
  const asked = await service.submit(pat, EMAIL_AUTH, parameters, { organizationId })
  const { fingerprint } = asked.json.activity
  await service.done(root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [pat.userId] })
  const vote = async (by: Member, kind: string) => {
    service.world.advance(1)
    const type = `ACTIVITY_TYPE_${kind}_ACTIVITY`
    const { json } = await service.submit(by, type, { fingerprint }, { organizationId })
    return json.activity?.status ?? json.turnkeyErrorCode
  }
  assert.equal(await vote(ada, 'APPROVE'), 'ORGANIZATION_MISMATCH')
  assert.equal(await vote(ada, 'REJECT'), 'ORGANIZATION_MISMATCH')
  assert.equal(await vote(quin, 'APPROVE'), 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.equal(await vote(root, 'REJECT'), 'ACTIVITY_STATUS_REJECTED')
})

test('an address of nobody, or of several, gets no mail', async () => {
  const service = await started()
  const [ada] = await aSubOrganizationOf(service, [
    { userName: 'Ada', userEmail: 'both@example.com' },
    { userName: 'Grace', userEmail: 'Both@example.com' },
  ])
  assert.ok(ada)
  await sentMessages(service)
  const parameters = { targetPublicKey: aTarget(service).publicKey, emailCustomization: { appName: 'Shop' } }
  for (const email of ['both@example.com', 'nobody@example.com']) {
    const { status, message } = await refused(service, ada, `${EMAIL_AUTH}_V3`, { ...parameters, email })
    assert.equal(status, 404)
    assert.match(message, /^unable to find one user with contact/)
  }
  const malformed = await refused(service, ada, `${EMAIL_AUTH}_V3`, { ...parameters, email: 'x' })
  assert.equal(malformed.turnkeyErrorCode, 'INVALID_EMAIL')
  assert.deepEqual(await sentMessages(service), [])
})

test('invalidateExisting ends keys of the same kind only', async () => {
  const service = await started()
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada', userEmail: 'ada@example.com' }])
  assert.ok(ada)
  const target = aTarget(service)
  const { publicKey: targetPublicKey } = target
  const mailed = { email: 'ada@example.com', targetPublicKey, invalidateExisting: true }
  const session = { targetPublicKey, invalidateExisting: true }
  await service.done(ada, 'ACTIVITY_TYPE_STAMP_LOGIN', { publicKey: service.newKey().publicKey })
  for (let round = 0; round < 2; round++) {
    await service.done(ada, EMAIL_AUTH, mailed)
    await service.done(ada, `${READ_WRITE}_V2`, session)
  }
  const { apiKeys } = await userOf(service, ada)
  assert.deepEqual(
    apiKeys.map((key: { credential: { type: string } }) =>
      key.credential.type.slice('CREDENTIAL_TYPE_'.length),
    ),
    ['API_KEY_P256', 'LOGIN', 'EMAIL_AUTH_KEY_P256', 'READ_WRITE_SESSION_KEY_P256'],
  )
})

test('a DENY policy about one user holds for sessions that name them, and not for what shows no such parameter', async () => {
  const service = await started()
  const { root } = service
  for (const name of [
    'FEATURE_NAME_EMAIL_AUTH',
    'FEATURE_NAME_EMAIL_RECOVERY',
    'FEATURE_NAME_OTP_EMAIL_AUTH',
  ])
    await feature(service, root, name)
  const [desk, ada] = [await service.user('Desk'), await service.user('Ada')]
  const { userId } = ada
  const userEmail = 'ada@example.com'
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail })
  const policy = async (effect: string, terms: object) =>
    await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: effect,
      effect,
      notes: '',
      ...terms,
    })
  await policy('EFFECT_ALLOW', {
    consensus: `approvers.any(user, user.id == '${desk.userId}')`,
    condition: "activity.resource in ['AUTH', 'RECOVERY', 'CONFIG', 'USER']",
  })
  await policy('EFFECT_DENY', { condition: `activity.params.user_id == '${userId}'` })
  const target = { targetPublicKey: aTarget(service).publicKey }
  // A session of one's own names nobody, unless its sender names themselves.
  const own = async (parameters: object) =>
    (await service.submit(ada, `${READ_WRITE}_V2`, { ...target, ...parameters })).status
  assert.deepEqual([await own({}), await own({ userId })], [200, 403])
  const byAddress = { ...target, email: userEmail, emailCustomization: { appName: 'Shop' } }
  const statuses = []
  for (const [type, parameters] of [
    [`${READ_WRITE}_V2`, { ...target, userId }],
    [READ_WRITE, { ...target, email: userEmail }],
    [`${EMAIL_AUTH}_V3`, byAddress],
    ['ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2', byAddress],
    ['ACTIVITY_TYPE_INIT_OTP_AUTH_V3', { otpType: 'OTP_TYPE_EMAIL', contact: userEmail, appName: 'Shop' }],
    ['ACTIVITY_TYPE_UPDATE_USER_NAME', { userId, userName: 'Eve' }],
    // What names a key, or several users, has no `activity.params.user_id` either.
    ['ACTIVITY_TYPE_SET_IP_ALLOWLIST', { publicKey: ada.key.publicKey, rules: [{ cidr: '192.0.2.1/32' }] }],
    ['ACTIVITY_TYPE_DELETE_USERS', { userIds: [userId] }],
  ] as const) {
    service.world.advance(1)
    statuses.push((await service.submit(desk, type, parameters)).status)
  }
  assert.deepEqual(statuses, [403, 403, 200, 200, 200, 403, 200, 200])
})
