import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aService } from '../../../../test/support/service.ts'
import { aSubOrganization, requestOf } from './testing/sub-organization.ts'

const RENAME = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME'
const QUORUM = 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM'
const SET_FEATURE = 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE'
const REMOVE_FEATURE = 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE'

test('an organization bears its new name from the activity on', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root, organizationId } = service

  const result = await service.done(root, RENAME, { organizationName: 'Renamed' })

  assert.deepEqual(result, { organizationId, organizationName: 'Renamed' })
  assert.equal((await service.query(root, 'whoami')).json.organizationName, 'Renamed')
  for (const organizationName of ['', '  ', 'x'.repeat(256), 'a\nb'])
    assert.equal((await service.submit(root, RENAME, { organizationName })).status, 400)
})

test('a feature that was set is listed with its value, in the place it had, until it is removed', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root } = service
  const origins = { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: 'https://a.example, http://localhost:3000' }

  await service.done(root, SET_FEATURE, { ...origins, value: '*' })
  await service.done(root, SET_FEATURE, { name: 'FEATURE_NAME_EMAIL_AUTH', value: '' })
  const set = await service.done(root, SET_FEATURE, origins)

  assert.deepEqual(set, { features: [origins, { name: 'FEATURE_NAME_EMAIL_AUTH' }] })
  const configs = await service.query(root, 'get_organization_configs')
  assert.deepEqual(configs.json, {
    configs: { ...set, quorum: { threshold: 1, userIds: [root.userId] } },
  })
  const removed = await service.done(root, REMOVE_FEATURE, { name: origins.name })
  assert.deepEqual(removed, { features: [{ name: 'FEATURE_NAME_EMAIL_AUTH' }] })
  assert.deepEqual(await service.done(root, REMOVE_FEATURE, { name: origins.name }), removed)
})

test('every login feature can be switched on without a value', async (t) => {
  const service = await aService()
  t.after(service.close)

  for (const name of [
    'EMAIL_AUTH',
    'OTP_EMAIL_AUTH',
    'SMS_AUTH',
    'EMAIL_RECOVERY',
    'ROOT_USER_EMAIL_RECOVERY',
  ])
    await service.done(service.root, SET_FEATURE, { name: `FEATURE_NAME_${name}` })

  const { json } = await service.query(service.root, 'get_organization_configs')
  assert.equal(json.configs.features.length, 5)
})

test('a feature without a meaning here, and a value that its feature could not use, are refused', async (t) => {
  const service = await aService()
  t.after(service.close)
  const origins = 'FEATURE_NAME_WEBAUTHN_ORIGINS'
  const webhook = 'FEATURE_NAME_WEBHOOK'
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ name: 'FEATURE_NAME_NEW' }, /field `name` must be one of .*"FEATURE_NAME_NEW"/],
    [{ name: 'FEATURE_NAME_AUTH_PROXY', value: 'x' }, /FEATURE_NAME_AUTH_PROXY is not supported/],
    [{ name: 'FEATURE_NAME_SWAP_CONFIG' }, /FEATURE_NAME_SWAP_CONFIG is not supported/],
    [{ name: 'FEATURE_NAME_EARN_CONFIG' }, /FEATURE_NAME_EARN_CONFIG is not supported/],
    [{ name: 'FEATURE_NAME_SOLANA_RENT_PREFUND_ENABLED' }, /PREFUND_ENABLED is not supported/],
    [{ name: origins }, /invalid value of feature FEATURE_NAME_WEBAUTHN_ORIGINS/],
    ...[
      'example.com',
      'https://example.com/',
      'https://EXAMPLE.com',
      'https://example.com:443',
      'https://example.com,',
      'https://example.com,*',
      'https://user@example.com',
      'ftp://example.com',
      'android:apk-key-hash:short',
    ].map((value) => [{ name: origins, value }, /it takes origins such as/] as const),
    [{ name: webhook }, /it takes an https URL/],
    ...[
      'example.com/hook',
      'ftp://example.com',
      'https://',
      'javascript:alert(1)',
      'https://a b',
      'http://example.com',
      'https://10.0.0.1',
      'https://u:p@example.com',
    ].map((value) => [{ name: webhook, value }, /it takes an https URL/] as const),
  ]

  for (const [parameters, message] of refused) {
    const { status, json } = await service.submit(service.root, SET_FEATURE, parameters)
    assert.equal(status, 400, JSON.stringify(parameters))
    assert.match(json.message, message)
  }
  for (const parameters of [
    { name: webhook, value: 'https://example.com/hook?key=1' },
    { name: origins, value: `android:apk-key-hash:${'a'.repeat(43)},https://example.com` },
  ])
    await service.done(service.root, SET_FEATURE, parameters)
})

test('the root quorum is replaced as a whole, by users of the organization and no more of them than there are', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { organizationId, roots } = await aSubOrganization(service)
  const [ada, ben] = roots
  const stranger = service.root.userId
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ threshold: 0, userIds: [ada.userId] }, /quorum threshold must be non-zero integer/],
    [{ threshold: -1, userIds: [ada.userId] }, /quorum threshold must be non-zero integer/],
    [{ threshold: 2, userIds: [ada.userId] }, /at most the number of root users: 2 of 1/],
    [{ threshold: 1, userIds: [] }, /quorum users missing/],
    [{ threshold: 1, userIds: [ada.userId, stranger] }, new RegExp(`quorum users missing: ${stranger}`)],
    [{ threshold: 2, userIds: [ada.userId, ada.userId] }, /quorum users must be distinct/],
    [{ threshold: 1, userIds: ['ada'] }, /field `userIds\[0\]` must be a UUID/],
    [{ threshold: 1.5, userIds: [ada.userId] }, /field `threshold` must be a whole number/],
  ]

  for (const [parameters, message] of refused) {
    const { status, json } = await service.submit(ada, QUORUM, parameters)
    assert.equal(status, 400, JSON.stringify(parameters))
    assert.match(json.message, message)
  }
  assert.deepEqual(await service.done(ada, QUORUM, { threshold: 1, userIds: [ben.userId] }), {})
  const { json } = await service.query(ben, 'get_organization_configs')
  assert.deepEqual(json.configs.quorum, { threshold: 1, userIds: [ben.userId] })
  assert.equal((await service.submit(ada, RENAME, { organizationName: 'Ada’s' })).status, 403)
  await service.done(ben, RENAME, { organizationName: 'Ben’s' }, { organizationId })
})

test('what takes two root users waits for the second, who sends the same bytes or approves by fingerprint', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { organizationId, roots } = await aSubOrganization(service, { threshold: 2 })
  const [ada, ben] = roots
  const rename = requestOf(service, RENAME, organizationId, { organizationName: 'Both' })

  const first = await rename.sentBy(ada)
  const again = await rename.sentBy(ada)
  const second = await rename.sentBy(ben)

  assert.equal(first.json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.equal(again.json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.equal(second.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
  assert.equal(second.json.activity.id, first.json.activity.id)
  assert.equal((await service.query(ada, 'whoami')).json.organizationName, 'Both')

  const waiting = await service.submit(ben, QUORUM, { threshold: 1, userIds: [ada.userId, ben.userId] })
  const { fingerprint } = waiting.json.activity
  assert.equal(waiting.json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  service.world.advance(1)
  const approved = await service.submit(ada, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  assert.equal(approved.status, 200, approved.text)
  const { json } = await service.query(ada, 'get_organization_configs')
  assert.equal(json.configs.quorum.threshold, 1)
})

test('no policy gives away what is the root quorum’s alone', async (t) => {
  const service = await aService()
  t.after(service.close)
  const user = await service.user('Not root')
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Everything',
    effect: 'EFFECT_ALLOW',
    condition: 'true',
    consensus: 'true',
    notes: '',
  })
  const requests: readonly (readonly [string, object])[] = [
    [RENAME, { organizationName: 'Theirs' }],
    [QUORUM, { threshold: 1, userIds: [user.userId] }],
    [SET_FEATURE, { name: 'FEATURE_NAME_EMAIL_AUTH' }],
    [REMOVE_FEATURE, { name: 'FEATURE_NAME_EMAIL_AUTH' }],
    ['ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION', {}],
  ]

  for (const [type, parameters] of requests) {
    const { status, json } = await service.submit(user, type, parameters)
    assert.equal(status, 403, type)
    assert.equal(json.code, 7)
  }
})
