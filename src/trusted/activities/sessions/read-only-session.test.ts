import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Member, TestService } from '../../../../test/support/service.ts'
import { aSubOrganizationOf, refused, started } from './testing/logins.ts'

const CREATE = 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION'

async function asked(service: TestService, session: string, operation: string, body: object) {
  const headers = { 'X-Session': session }
  return await service.post(`/public/v1/query/${operation}`, JSON.stringify(body), headers)
}

async function opened(service: TestService, by: Member): Promise<string> {
  return (await service.done(by, CREATE, {})).session
}

test('a read-only session reads as its user for an hour, and not a moment longer', async () => {
  const service = await started()
  const ada = await service.user('Ada')
  const { organizationId } = service

  const result = await service.done(ada, CREATE, {})

  const { session, sessionExpiry, ...who } = result
  const openedAt = service.world.now()
  assert.deepEqual(who, {
    organizationId,
    organizationName: 'Test',
    userId: ada.userId,
    username: 'Ada',
  })
  assert.equal(sessionExpiry, String(Math.floor(openedAt / 1000) + 3600))
  const me = await asked(service, session, 'whoami', { organizationId })
  assert.deepEqual(me.json, { ...who })
  for (const operation of ['list_users', 'get_organization', 'list_activities', 'get_session_profiles'])
    assert.equal((await asked(service, session, operation, { organizationId })).status, 200, operation)

  service.world.advance(3_600_000 - 1)
  assert.equal((await asked(service, session, 'whoami', { organizationId })).status, 200)
  service.world.advance(1)
  const late = await asked(service, session, 'whoami', { organizationId })
  assert.equal(late.status, 401)
  assert.match(late.json.message, /^the session has expired/)
})

test('a read-only session submits nothing', async () => {
  const service = await started()
  const session = await opened(service, service.root)
  const { organizationId } = service
  for (const [type, parameters] of [
    [CREATE, {}],
    ['ACTIVITY_TYPE_STAMP_LOGIN', { publicKey: service.newKey().publicKey }],
    ['ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Tag', userIds: [] }],
  ] as const) {
    const timestampMs = String(service.world.now())
    const path = `/public/v1/submit/${type.replace('ACTIVITY_TYPE_', '').toLowerCase()}`
    const body = JSON.stringify({ type, timestampMs, organizationId, parameters })
    const { status, text } = await service.post(path, body, { 'X-Session': session })
    assert.equal(status, 401, text)
  }
})

test('a session that was altered, cut short, or made by nobody is not accepted', async () => {
  const service = await started()
  const session = await opened(service, service.root)
  const { organizationId } = service
  const [json = '', tag = ''] = session.split('.')
  const claims = JSON.parse(Buffer.from(json, 'base64url').toString())
  const later = { ...claims, expiresAt: claims.expiresAt + 1 }
  const altered = [
    '',
    'x',
    json,
    `${json}.`,
    `.${tag}`,
    session.slice(0, -1),
    `${session}.`,
    `${session}=`,
    `${json}.${tag.slice(1)}A`,
    `${Buffer.from(JSON.stringify(later)).toString('base64url')}.${tag}`,
    `${json}.${Buffer.alloc(32).toString('base64url')}`,
  ]
  for (const wrong of altered) {
    const { status, json: error } = await asked(service, wrong, 'whoami', { organizationId })
    assert.equal(status, 401, wrong)
    assert.equal(error.code, 16)
  }
  const two = { 'X-Session': session, 'X-Stamp': 'e30' }
  const both = await service.post('/public/v1/query/whoami', JSON.stringify({ organizationId }), two)
  assert.equal(both.status, 401)
})

test('a session reads its own organization and those below it, and no other', async () => {
  const service = await started()
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada' }])
  const [grace] = await aSubOrganizationOf(service, [{ userName: 'Grace' }])
  assert.ok(ada && grace)
  const ofParent = await opened(service, service.root)
  const ofAda = await opened(service, ada)

  const below = await asked(service, ofParent, 'list_users', { organizationId: ada.organizationId })
  assert.equal(below.status, 200, below.text)
  for (const organizationId of [service.organizationId, grace.organizationId]) {
    const { status } = await asked(service, ofAda, 'list_users', { organizationId })
    assert.equal(status, 401)
  }
  const own = await asked(service, ofAda, 'list_users', { organizationId: ada.organizationId })
  assert.equal(own.json.users[0].userId, ada.userId)
})

test('with the id of the parent, the session is of the sub-organization of the credential', async () => {
  const service = await started()
  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada' }])
  assert.ok(ada)
  const { organizationId } = service
  const result = await service.done(ada, CREATE, {}, { organizationId })
  assert.equal(result.organizationId, ada.organizationId)
  assert.equal(result.userId, ada.userId)
})

test('a session ends with its user, and with its organization', async () => {
  const service = await started()
  const grace = await service.user('Grace')
  const session = await opened(service, grace)
  const { organizationId } = service
  await service.done(service.root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [grace.userId] })
  assert.equal((await asked(service, session, 'whoami', { organizationId })).status, 401)

  const [ada] = await aSubOrganizationOf(service, [{ userName: 'Ada' }])
  assert.ok(ada)
  const ofAda = await opened(service, ada)
  await service.done(ada, 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION', { deleteWithoutExport: true })
  const gone = await asked(service, ofAda, 'whoami', { organizationId: ada.organizationId })
  assert.equal(gone.status, 404)
})

test('who is denied by a policy gets no session', async () => {
  const service = await started()
  const ada = await service.user('Ada')
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'No reading',
    effect: 'EFFECT_DENY',
    condition: "activity.kind == 'CREATE_READ_ONLY_SESSION'",
    notes: '',
  })
  assert.equal((await refused(service, ada, CREATE, {})).status, 403)
})
