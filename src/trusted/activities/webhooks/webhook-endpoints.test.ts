import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { aService, type Member, type TestService } from '../../../../test/support/service.ts'
import { aSubOrganization } from '../organizations/testing/sub-organization.ts'
import { heard } from './testing/heard.ts'

const CREATE = 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT'
const UPDATE = 'ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT'
const DELETE = 'ACTIVITY_TYPE_DELETE_WEBHOOK_ENDPOINT'
const FEATURE = 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE'
const TAG = 'ACTIVITY_TYPE_CREATE_USER_TAG'
const NOWHERE = '0198c5a0-7d3c-7000-8000-00000000dead'
const URL = 'https://example.com/hooks?tenant=1'
const ACTIVITIES = [{ eventType: 'ACTIVITY_UPDATES' }]

async function setting(t: TestContext, options: { readonly allowPrivate?: boolean } = {}) {
  const { allowPrivate = false } = options
  const service = await aService({ targets: { allowPrivate } })
  t.after(service.close)
  return {
    service,
    root: service.root,
    listed: async (by: Member = service.root) =>
      (await service.query(by, 'list_webhook_endpoints')).json.webhookEndpoints,
    created: async (name: string, more: object = {}, by: Member = service.root): Promise<string> =>
      (await service.done(by, CREATE, { url: URL, name, subscriptions: ACTIVITIES, ...more })).endpointId,
  }
}

async function refusal(service: TestService, by: Member, type: string, parameters: object) {
  service.world.advance(1)
  const { status, json } = await service.submit(by, type, parameters)
  return { status, message: json.message as string }
}

test('endpoints are created, listed in order, changed in part and deleted', async (t) => {
  const { service, root, listed } = await setting(t)
  const { organizationId } = root
  assert.deepEqual(await listed(), [])
  const filtersJson = '{"status":["ACTIVITY_STATUS_COMPLETED"]}'
  const subscriptions = [
    { eventType: 'ACTIVITY_UPDATES', filtersJson },
    { eventType: 'BALANCE_CONFIRMED_UPDATES', isActive: false },
    { eventType: 'BALANCE_FINALIZED_UPDATES', filtersJson: '' },
    { eventType: 'SEND_TRANSACTION_STATUS_UPDATES' },
  ]
  const first = await service.done(root, CREATE, { url: URL, name: 'First', subscriptions })
  const shown = {
    endpointId: first.endpointId,
    organizationId,
    url: URL,
    name: 'First',
    isActive: true,
    subscriptions: [
      { eventType: 'ACTIVITY_UPDATES', filtersJson, isActive: true },
      { eventType: 'BALANCE_CONFIRMED_UPDATES', isActive: false },
      { eventType: 'BALANCE_FINALIZED_UPDATES', isActive: true },
      { eventType: 'SEND_TRANSACTION_STATUS_UPDATES', isActive: true },
    ],
  }
  assert.deepEqual(first, { endpointId: first.endpointId, webhookEndpoint: shown })
  const second = await service.done(root, CREATE, { url: URL, name: 'Second' })
  assert.deepEqual(second.webhookEndpoint.subscriptions, [])
  assert.deepEqual(await listed(), [shown, second.webhookEndpoint])

  const changes = { url: 'https://example.org/', name: 'Changed', isActive: false }
  for (const [name, value] of Object.entries(changes)) {
    const { endpointId, webhookEndpoint } = await service.done(root, UPDATE, {
      endpointId: first.endpointId,
      [name]: value,
    })
    assert.equal(endpointId, first.endpointId)
    assert.equal(webhookEndpoint[name], value)
  }
  assert.deepEqual(await listed(), [{ ...shown, ...changes }, second.webhookEndpoint])

  const { endpointId } = second
  assert.deepEqual(await service.done(root, DELETE, { endpointId }), { endpointId })
  assert.deepEqual(await listed(), [{ ...shown, ...changes }])
  for (const type of [UPDATE, DELETE])
    assert.deepEqual(await refusal(service, root, type, { endpointId }), {
      status: 404,
      message: `unable to find webhook endpoint ${endpointId} in organization ${organizationId}`,
    })
})

const wrongUrls: readonly (readonly [string, RegExp])[] = [
  ['http://example.com/hooks', /is not an https URL/],
  ['ftp://example.com', /is not an https URL/],
  ['https://user:password@example.com', /has a user name or a password/],
  ['https://user@example.com', /has a user name or a password/],
  ['https://example.com/#part', /has a fragment/],
  ['https://localhost/hooks', /is not at a public address/],
  ['https://127.0.0.1/', /is not at a public address/],
  ['https://2130706433/', /is not at a public address/],
  ['https://0x7f.1/', /is not at a public address/],
  ['https://10.1.2.3/', /is not at a public address/],
  ['https://169.254.169.254/latest/meta-data', /is not at a public address/],
  ['https://[::1]/', /is not at a public address/],
  ['https://[::ffff:10.0.0.1]/', /is not at a public address/],
  ['https://metadata.google.internal/', /is not at a public address/],
  ['example.com', /is not an absolute URL/],
  ['https://exa mple.com', /has a space/],
  ['https://example.com/\n', /control character/],
  ['javascript:alert(1)', /is not an https URL/],
]

test('where a webhook may not go is refused when it is registered and when it is changed', async (t) => {
  const { service, root, listed, created } = await setting(t)
  const endpointId = await created('Kept')
  const before = await listed()
  for (const [url, because] of wrongUrls) {
    for (const [type, parameters] of [
      [CREATE, { url, name: 'New', subscriptions: ACTIVITIES }],
      [UPDATE, { endpointId, url }],
      [FEATURE, { name: 'FEATURE_NAME_WEBHOOK', value: url }],
    ] as const) {
      const { status, message } = await refusal(service, root, type, parameters)
      assert.equal(status, 400, url)
      assert.match(message, /^invalid (webhook url|value of feature FEATURE_NAME_WEBHOOK): /)
      assert.match(message, because)
    }
  }
  assert.deepEqual(await listed(), before)
})

test('in development a webhook may be on this machine and without TLS, and is otherwise what it has to be', async (t) => {
  const { service, root, created } = await setting(t, { allowPrivate: true })
  await created('Local', { url: 'http://127.0.0.1:3000/hooks' })
  await created('Named', { url: 'http://localhost:3000' })
  await service.done(root, FEATURE, { name: 'FEATURE_NAME_WEBHOOK', value: 'http://127.0.0.1:3000/' })
  for (const url of ['ftp://127.0.0.1', 'http://u:p@127.0.0.1', 'http://127.0.0.1/#part'])
    assert.equal((await refusal(service, root, CREATE, { url, name: 'No' })).status, 400, url)
})

test('what is wrong anywhere is refused before anyone is asked for approval', async (t) => {
  const { service, root } = await setting(t)
  const second = await service.user('Second')
  const userIds = [root.userId, second.userId]
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  assert.equal((await refusal(service, root, CREATE, { url: 'ftp://example.com', name: 'No' })).status, 400)
})

test('an endpoint that cannot be meant is refused', async (t) => {
  const { service, root, created, listed } = await setting(t)
  await created('First')
  const endpointId = await created('Second')
  const create = (more: object) => [CREATE, { url: URL, name: 'New', ...more }] as const
  const cases: readonly (readonly [readonly [string, object], RegExp])[] = [
    [create({ name: 'First' }), /^webhook endpoint label must be unique: .*"First"/],
    [[UPDATE, { endpointId, name: 'First' }], /^webhook endpoint label must be unique/],
    [create({ name: '' }), /`name`/],
    [create({ url: '' }), /`url`/],
    [create({ url: `https://example.com/${'x'.repeat(2048)}` }), /`url`/],
    [create({ subscriptions: [{ eventType: 'EVERYTHING' }] }), /`subscriptions\[0\]\.eventType`/],
    [create({ subscriptions: [{ ...ACTIVITIES[0], filtersJson: '{' }] }), /filtersJson` must be JSON text/],
    [create({ subscriptions: Array.from({ length: 11 }, () => ACTIVITIES[0]) }), /`subscriptions`/],
    [[UPDATE, { endpointId: 'x' }], /`endpointId` must be a UUID/],
  ]
  const before = await listed()
  for (const [[type, parameters], message] of cases) {
    const refused = await refusal(service, root, type, parameters)
    assert.match(refused.message, message)
    assert.equal(refused.status, 400)
  }
  assert.deepEqual(await listed(), before)
  await service.done(root, UPDATE, { endpointId, name: 'Second' })
})

test('an organization has at most a hundred endpoints', async (t) => {
  const { service, root, created } = await setting(t)
  for (let n = 0; n < 100; n++) await created(`Endpoint ${n}`, { subscriptions: [] })
  const refused = await refusal(service, root, CREATE, { url: URL, name: 'One more' })
  assert.deepEqual(refused, {
    status: 429,
    message: 'organization has exceeded maximum webhook endpoints: there may be 100',
  })
})

test('a sub-organization subscribes to its activities, and not to what its parent is billed for', async (t) => {
  const { service, created, listed } = await setting(t)
  const { roots } = await aSubOrganization(service)
  const [ada] = roots
  await created('Own', {}, ada)
  for (const eventType of [
    'BALANCE_CONFIRMED_UPDATES',
    'BALANCE_FINALIZED_UPDATES',
    'SEND_TRANSACTION_STATUS_UPDATES',
  ]) {
    const refused = await refusal(service, ada, CREATE, {
      url: URL,
      name: 'No',
      subscriptions: [{ eventType }],
    })
    assert.deepEqual(refused, {
      status: 403,
      message: `webhook events of type ${eventType} can only be subscribed to by the parent organization`,
    })
  }
  assert.equal((await listed(ada)).length, 1)
  assert.deepEqual(await listed(), [])
})

test('endpoints are managed by the root quorum and by whom a policy lets, endpoint by endpoint', async (t) => {
  const { service, root, created } = await setting(t)
  const ada = await service.user('Ada')
  const [hers, other] = [await created('Hers'), await created('Other')]
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Hers alone',
    effect: 'EFFECT_ALLOW',
    condition: `activity.resource == 'WEBHOOK_ENDPOINT' && activity.params.endpoint_id == '${hers}'`,
    notes: '',
  })
  assert.equal((await refusal(service, ada, CREATE, { url: URL, name: 'New' })).status, 403)
  for (const [type, more] of [
    [UPDATE, { isActive: false }],
    [DELETE, {}],
  ] as const) {
    assert.equal((await refusal(service, ada, type, { endpointId: other, ...more })).status, 403)
    await service.done(ada, type, { endpointId: hers, ...more })
  }
  assert.equal((await refusal(service, ada, UPDATE, { endpointId: NOWHERE })).status, 403)
})

test('an active subscription of an active endpoint hears of the activities of its organization and those below', async (t) => {
  const { service, root, created } = await setting(t)
  const { roots, organizationId: subId } = await aSubOrganization(service)
  const [ada] = roots
  const parents = await created('Parent')
  const subs = await created('Sub', {}, ada)
  const off = await created('Off')
  await service.done(root, UPDATE, { endpointId: off, isActive: false })
  await created('Nothing', { subscriptions: [] })
  await created('Inactive', { subscriptions: [{ ...ACTIVITIES[0], isActive: false }] })
  await created('Balances', { subscriptions: [{ eventType: 'BALANCE_CONFIRMED_UPDATES' }] })
  const tag = (name: string) => ({ userTagName: name, userIds: [] })
  const targets = async () =>
    (await heard(service)).map(({ scope, target, organizationId, revision }) => [
      scope,
      target,
      organizationId,
      revision,
    ])
  await targets()

  await service.done(root, TAG, tag('Of the parent'))
  assert.deepEqual(await targets(), [[root.organizationId, parents, root.organizationId, 1]])
  await service.done(ada, TAG, tag('Of the sub-organization'))
  assert.deepEqual(
    new Set((await targets()).map(String)),
    new Set([[subId, subs, subId, 1].join(), [root.organizationId, parents, subId, 1].join()]),
  )
  const bystander = await service.user('Bystander')
  await targets()
  assert.equal((await refusal(service, bystander, TAG, tag('Refused'))).status, 403)
  assert.deepEqual(await targets(), [[root.organizationId, parents, root.organizationId, 1]])

  await service.done(root, UPDATE, { endpointId: off, isActive: true })
  await service.done(root, DELETE, { endpointId: parents })
  await service.done(root, FEATURE, { name: 'FEATURE_NAME_WEBHOOK', value: 'https://example.com/old' })
  await targets()
  await service.done(ada, TAG, tag('Both kinds'))
  assert.deepEqual(
    new Set((await targets()).map(([scope, target]) => `${scope} ${target}`)),
    new Set([
      `${subId} ${subs}`,
      `${root.organizationId} ${off}`,
      `${root.organizationId} FEATURE_NAME_WEBHOOK`,
    ]),
  )
})
