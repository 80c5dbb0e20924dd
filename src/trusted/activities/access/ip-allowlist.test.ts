import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { aSubOrganization, EMAIL } from '../../../../test/support/otp-setting.ts'
import { aService, type Member } from '../../../../test/support/service.ts'
import { createAuthenticator } from '../../../../test/support/software-authenticator.ts'
import { type StampHeader, stampWith } from '../../../../test/support/stamper.ts'
import { byToken } from '../mfa/testing/setting.ts'
import { aToken } from '../sessions/testing/logins.ts'

const SET = 'ACTIVITY_TYPE_SET_IP_ALLOWLIST'
const REMOVE = 'ACTIVITY_TYPE_REMOVE_IP_ALLOWLIST'
const OFFICE = '198.51.100.7'
const HOME = '203.0.113.9'
const OFFICE_RULES = [{ cidr: '198.51.100.0/24', label: 'Office' }]

/** A service behind one proxy, which says where requests come from. */
async function setting(t: TestContext) {
  const service = await aService({ isTrustedProxy: (address) => address === '127.0.0.1' })
  t.after(service.close)
  const { root } = service
  const from = async (
    address: string,
    stamper: (body: string) => StampHeader,
    path: string,
    body: object,
  ) => {
    service.world.advance(1)
    const text = JSON.stringify({ timestampMs: String(service.world.now()), ...body })
    const { stampHeaderName, stampHeaderValue } = stamper(text)
    const headers = { [stampHeaderName]: stampHeaderValue, 'X-Forwarded-For': address }
    return await service.post(`/public/v1/${path}`, text, headers)
  }
  const byKeyOf =
    ({ key }: Member) =>
    (text: string) =>
      stampWith(key, text)
  return {
    service,
    root,
    from,
    submit: async (
      address: string,
      by: Member,
      type: string,
      parameters: object,
      organizationId = by.organizationId,
    ) => {
      const operation = type
        .replace('ACTIVITY_TYPE_', '')
        .replace(/_V\d+$/, '')
        .toLowerCase()
      return await from(address, byKeyOf(by), `submit/${operation}`, { type, organizationId, parameters })
    },
    query: async (address: string, by: Member, operation: string, more: object = {}) => {
      const body = JSON.stringify({ organizationId: by.organizationId, ...more })
      const { stampHeaderName, stampHeaderValue } = stampWith(by.key, body)
      const headers = { [stampHeaderName]: stampHeaderValue, 'X-Forwarded-For': address }
      return await service.post(`/public/v1/query/${operation}`, body, headers)
    },
  }
}

const tag = (userTagName: string) => ({ userTagName, userIds: [] })
const TAG = 'ACTIVITY_TYPE_CREATE_USER_TAG'

test('a list is normalised, shown, replaced as a whole and removed', async (t) => {
  const { service, root } = await setting(t)
  const { organizationId } = root
  const none = { organizationId, enabled: false, rules: [] }
  assert.deepEqual((await service.query(root, 'get_ip_allowlist')).json, { allowlist: none })
  const rules = [
    { cidr: '127.0.0.9/20', label: 'Tests' },
    { cidr: '2001:DB8:0:0::7/64' },
    { cidr: '127.0.15.255/20', label: 'The same again' },
  ]
  assert.deepEqual(await service.done(root, SET, { enabled: true, rules }), {})
  const createdAt = String(service.world.now())
  assert.deepEqual((await service.query(root, 'get_ip_allowlist')).json.allowlist, {
    organizationId,
    enabled: true,
    onEvaluationError: 'DENY',
    rules: [
      { cidr: '127.0.0.0/20', label: 'Tests', createdAt },
      { cidr: '2001:db8::/64', createdAt },
    ],
  })
  await service.done(root, SET, { enabled: false, onEvaluationError: 'ALLOW' })
  assert.deepEqual((await service.query(root, 'get_ip_allowlist')).json.allowlist, {
    ...none,
    onEvaluationError: 'ALLOW',
  })
  assert.deepEqual(await service.done(root, REMOVE, {}), {})
  assert.deepEqual((await service.query(root, 'get_ip_allowlist')).json, { allowlist: none })
  await service.done(root, REMOVE, {})
})

test('without `enabled` a list is in force when it has rules', async (t) => {
  const { service, root } = await setting(t)
  const enabled = async () => (await service.query(root, 'get_ip_allowlist')).json.allowlist.enabled
  await service.done(root, SET, { rules: [{ cidr: '127.0.0.0/20' }] })
  assert.equal(await enabled(), true)
  await service.done(root, SET, {})
  assert.equal(await enabled(), false)
})

test('what is no list is refused, by the index and the text of the rule', async (t) => {
  const { service, root } = await setting(t)
  const v4 = (count: number) => Array.from({ length: count }, (_, index) => ({ cidr: `10.0.${index}.0/24` }))
  const v6 = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ cidr: `2001:db8:${index}::/48` }))
  const cases: readonly (readonly [object, number, RegExp])[] = [
    [
      { rules: [...v4(1), { cidr: 'nonsense' }] },
      400,
      /^invalid IP allowlist rule 1: "nonsense" is not a network in CIDR notation/,
    ],
    [{ rules: [{ cidr: '10.0.0.0/8' }] }, 400, /^invalid IP allowlist rule 0: "10.0.0.0\/8" is too wide/],
    [{ rules: [{ cidr: '2001:db8::/32' }] }, 400, /too wide: the widest that is taken is \/48/],
    [{ rules: v4(11) }, 429, /^IP allowlist has exceeded maximum IPv4 rules: there may be 10/],
    [{ rules: v6(11) }, 429, /^IP allowlist has exceeded maximum IPv6 rules/],
    [{ rules: [{ cidr: '10.0.0.0/24', label: ' ' }] }, 400, /label/],
    [{ onEvaluationError: 'MAYBE' }, 400, /onEvaluationError/],
    [{ publicKey: '' }, 400, /publicKey/],
    [{ publicKey: service.newKey().publicKey }, 404, /^unable to find API key /],
  ]
  for (const [parameters, status, message] of cases) {
    service.world.advance(1)
    const refused = await service.submit(root, SET, parameters)
    assert.match(refused.json.message, message)
    assert.equal(refused.status, status)
  }
  await service.done(root, SET, { enabled: false, rules: [...v4(10), ...v6(10), ...v4(10)] })
  assert.equal((await service.query(root, 'get_ip_allowlist')).json.allowlist.rules.length, 20)
})

test('from elsewhere nothing is done and nothing is told, whatever the credential', async (t) => {
  const { service, root, from, submit, query } = await setting(t)
  const passkey = createAuthenticator({ randomBytes: service.world.randomBytes })
  const challenge = Buffer.from('a challenge of our own').toString('base64url')
  const attestation = passkey.register(challenge, 'http://localhost')
  await service.done(root, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
    userId: root.userId,
    authenticators: [{ authenticatorName: 'Passkey', challenge, attestation }],
  })
  const session = await service.done(root, 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION', {})
  const { organizationId } = root
  await service.done(root, SET, { enabled: true, rules: OFFICE_RULES })

  const byPasskey = (address: string) =>
    from(address, (body) => passkey.assert(body, 'http://localhost'), 'submit/create_user_tag', {
      type: TAG,
      organizationId,
      parameters: tag(`By passkey from ${address}`),
    })
  const reading = (address: string) =>
    service.post('/public/v1/query/whoami', JSON.stringify({ organizationId }), {
      'X-Session': session.session,
      'X-Forwarded-For': address,
    })
  for (const ask of [
    (address: string) => submit(address, root, TAG, tag(`From ${address}`)),
    (address: string) => query(address, root, 'whoami'),
    (address: string) => submit(address, root, REMOVE, {}),
    byPasskey,
    reading,
  ]) {
    for (const address of [HOME, '2001:db8::1', 'nonsense', '127.0.0.1']) {
      const refused = await ask(address)
      assert.equal(refused.status, 403, address)
      assert.equal(refused.json.code, 7)
      assert.match(refused.json.message, /^request not authorized: the address it came from/)
      assert.equal(refused.json.turnkeyErrorCode, 'REQUEST_NOT_AUTHORIZED')
    }
  }
  for (const address of [OFFICE, `::ffff:${OFFICE}`]) {
    assert.equal((await byPasskey(address)).status, 200)
    assert.equal((await reading(address)).status, 200)
  }
  const listed = await query(OFFICE, root, 'list_user_tags')
  assert.equal(listed.json.userTags.length, 2)
})

test('the token of a code that was received elsewhere lets nobody in from there', async (t) => {
  const { service, from } = await setting(t)
  const ada = await aSubOrganization(service)
  const { organizationId } = ada
  await service.done(ada, SET, { enabled: true, rules: OFFICE_RULES })
  const login = async (address: string) => {
    const [key, { publicKey }] = [service.newKey(), service.newKey()]
    const token = aToken(service, { organizationId, contact: EMAIL, publicKey: key.publicKey })
    return await from(address, byToken(token, key), 'submit/stamp_login', {
      type: 'ACTIVITY_TYPE_STAMP_LOGIN',
      organizationId,
      parameters: { publicKey },
    })
  }
  const refused = await login(HOME)
  assert.equal(refused.status, 403, refused.text)
  assert.match(refused.json.message, /^request not authorized: the address it came from/)
  assert.equal((await login(OFFICE)).status, 200)
})

test('only what a trusted proxy says is believed', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root } = service
  await service.done(root, SET, { enabled: true, rules: OFFICE_RULES })
  const body = JSON.stringify({ organizationId: root.organizationId })
  const { stampHeaderName, stampHeaderValue } = stampWith(root.key, body)
  const answer = await service.post('/public/v1/query/whoami', body, {
    [stampHeaderName]: stampHeaderValue,
    'X-Forwarded-For': OFFICE,
  })
  assert.equal(answer.status, 403)
})

test('a forged first hop does not hide the address that the proxy saw', async (t) => {
  const { service, root, query } = await setting(t)
  await service.done(root, SET, { enabled: true, rules: OFFICE_RULES })
  assert.equal((await query(`${OFFICE}, ${HOME}`, root, 'whoami')).status, 403)
  assert.equal((await query(`${HOME}, ${OFFICE}`, root, 'whoami')).status, 200)
})

test('a list in force without rules shuts everybody out', async (t) => {
  const { service, root, query, submit } = await setting(t)
  await service.done(root, SET, { enabled: true, rules: [] })
  assert.equal((await query(OFFICE, root, 'whoami')).status, 403)
  assert.equal((await submit(OFFICE, root, REMOVE, {})).status, 403)
})

test('what is no address passes only where the list says so', async (t) => {
  const { service, root, query } = await setting(t)
  await service.done(root, SET, { enabled: true, rules: OFFICE_RULES, onEvaluationError: 'ALLOW' })
  assert.equal((await query('nonsense', root, 'whoami')).status, 200)
  assert.equal((await query(HOME, root, 'whoami')).status, 403)
})

test('the list of a key goes before that of the organization when it has rules, and only while that one is in force', async (t) => {
  const { service, root, query, submit } = await setting(t)
  const ada = await service.user('Ada')
  const publicKey = ada.key.publicKey.toUpperCase()
  const homeRules = [{ cidr: `${HOME}/32` }]
  await service.done(root, SET, { publicKey, rules: homeRules })
  const shown = await service.query(root, 'get_ip_allowlist', { publicKey })
  assert.equal(shown.json.allowlist.publicKey, ada.key.publicKey)
  assert.equal(shown.json.allowlist.enabled, true)
  const allowed = async (by: Member) => {
    const answers = await Promise.all([OFFICE, HOME].map(async (item) => await query(item, by, 'whoami')))
    return answers.map(({ status }) => status === 200)
  }
  assert.deepEqual(await allowed(ada), [true, true], 'the organization has no list')
  await service.done(root, SET, { enabled: true, rules: OFFICE_RULES })
  assert.deepEqual(await allowed(ada), [false, true])
  assert.deepEqual(await allowed(root), [true, false])
  const session = service.newKey()
  const opened = await submit(HOME, ada, 'ACTIVITY_TYPE_STAMP_LOGIN', { publicKey: session.publicKey })
  assert.equal(opened.status, 200)
  assert.deepEqual(await allowed({ ...ada, key: session }), [true, false], 'a session is no such key')
  const change = async (parameters: object) =>
    assert.equal((await submit(OFFICE, root, SET, { publicKey, ...parameters })).status, 200)
  await change({ enabled: true, rules: [] })
  assert.deepEqual(await allowed(ada), [true, false], 'no rules of its own')
  await change({ enabled: false, rules: homeRules })
  assert.deepEqual(await allowed(ada), [true, false], 'not in force')
  await change({ enabled: true, rules: homeRules })
  assert.equal((await submit(OFFICE, root, REMOVE, { publicKey })).status, 200)
  assert.deepEqual(await allowed(ada), [true, false], 'removed')
})

test('the list of a key that is gone goes with its user, and otherwise when a list is set', async (t) => {
  const { service, root } = await setting(t)
  const [ada, bob] = [await service.user('Ada'), await service.user('Bob')]
  const second = service.newKey()
  const { apiKeyIds } = await service.done(root, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', {
    userId: bob.userId,
    apiKeys: [{ apiKeyName: 'Second', publicKey: second.publicKey, curveType: 'API_KEY_CURVE_P256' }],
  })
  for (const { publicKey } of [ada.key, bob.key, second])
    await service.done(root, SET, { publicKey, rules: OFFICE_RULES })
  const rulesOf = async ({ publicKey }: { readonly publicKey: string }) =>
    (await service.query(root, 'get_ip_allowlist', { publicKey })).json.allowlist.rules.length
  await service.done(root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [ada.userId] })
  assert.deepEqual([await rulesOf(ada.key), await rulesOf(bob.key)], [0, OFFICE_RULES.length])
  await service.done(root, 'ACTIVITY_TYPE_DELETE_API_KEYS', { userId: bob.userId, apiKeyIds })
  await service.done(root, SET, { enabled: false, rules: OFFICE_RULES })
  assert.deepEqual([await rulesOf(second), await rulesOf(bob.key)], [0, OFFICE_RULES.length])
})

test('every organization has its own: what counts is the one that the credential belongs to', async (t) => {
  const { service, root, query, submit } = await setting(t)
  const key = service.newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const made = await service.done(root, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: 'Sub',
    rootUsers: [{ userName: 'Ada', apiKeys, authenticators: [], oauthProviders: [] }],
    rootQuorumThreshold: 1,
  })
  const organizationId: string = made.subOrganizationId
  const ada: Member = { organizationId, userId: made.rootUserIds[0], key }
  await service.done(root, SET, { enabled: true, rules: OFFICE_RULES })
  assert.equal((await query(HOME, ada, 'whoami')).status, 200)
  assert.equal((await submit(HOME, ada, SET, { enabled: true, rules: [{ cidr: `${HOME}/32` }] })).status, 200)
  assert.equal((await query(HOME, ada, 'whoami')).status, 200)
  assert.equal((await query(OFFICE, ada, 'whoami')).status, 403)
  assert.equal((await query(OFFICE, root, 'whoami', { organizationId })).status, 200)
  assert.equal((await query(HOME, root, 'whoami', { organizationId })).status, 403)
  assert.equal((await submit(OFFICE, ada, REMOVE, {})).status, 403)
})

test('lists are set by the root quorum and by whom a policy lets', async (t) => {
  const { service, root } = await setting(t)
  const ada = await service.user('Ada')
  const rules = [{ cidr: '127.0.0.0/20' }]
  assert.equal((await service.submit(ada, SET, { rules })).status, 403)
  assert.equal((await service.submit(ada, REMOVE, {})).status, 403)
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Network team',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'CONFIG' && activity.action == 'UPDATE'",
    notes: '',
  })
  await service.done(ada, SET, { rules })
  await service.done(ada, REMOVE, {})
})

test('a caller is told the address by which an allowlist would judge them, and one that no proxy told is not believed', async (t) => {
  const { root, service, query } = await setting(t)
  const told = async (address: string) =>
    (await query(address, root, 'get_client_address')).json.clientAddress
  assert.equal(await told(OFFICE), OFFICE)
  assert.equal(await told(`10.0.0.1, ${HOME}`), HOME)
  // Without a stamp nothing is told.
  const body = JSON.stringify({ organizationId: root.organizationId })
  assert.equal((await service.post('/public/v1/query/get_client_address', body, {})).status, 401)
})
