import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { aSecondServer, type SecondServer } from '../../../test/support/second-server.ts'
import { aSubOrganization } from '../../../test/support/otp-setting.ts'
import { aService, type Member, type TestService } from '../../../test/support/service.ts'
import { sentMessages } from '../../../test/support/messages.ts'
import { stampWith } from '../../../test/support/stamper.ts'
import {
  aComer,
  aSet,
  ATTEMPT,
  begin,
  HOUR,
  REMOVE,
  SET,
} from '../../trusted/activities/organizations/testing/recovery.ts'
import type { RateLimitSettings } from './rate-limits.ts'

const NONE: RateLimitSettings = {
  address: Number.POSITIVE_INFINITY,
  proxy: Number.POSITIVE_INFINITY,
  credential: Number.POSITIVE_INFINITY,
  organization: Number.POSITIVE_INFINITY,
  contact: Number.POSITIVE_INFINITY,
}

async function aLimitedService(t: TestContext, limits: Partial<RateLimitSettings>) {
  const service = await aService()
  t.after(service.close)
  const server = await aSecondServer(t, service, { limits: { ...NONE, ...limits } })
  return { service, server }
}

type From = { readonly from?: string; readonly stampedBy?: Member['key'] }

function asked({ world }: TestService, server: SecondServer) {
  const send = (by: Member, path: string, body: object, { from, stampedBy }: From = {}) => {
    const text = JSON.stringify(body)
    const { stampHeaderName, stampHeaderValue } = stampWith(stampedBy ?? by.key, text)
    return server.post(path, text, {
      headers: { [stampHeaderName]: stampHeaderValue },
      ...(from === undefined ? {} : { from }),
    })
  }
  return {
    whoami: (by: Member, how?: From) =>
      send(by, '/public/v1/query/whoami', { organizationId: by.organizationId }, how),
    users: (by: Member, how?: From) =>
      send(by, '/public/v1/query/list_users', { organizationId: by.organizationId }, how),
    submit: (by: Member, type: string, parameters: object, how?: From) => {
      world.advance(1)
      const operation = type
        .replace(/^ACTIVITY_TYPE_/, '')
        .replace(/_V\d+$/, '')
        .toLowerCase()
      const timestampMs = String(world.now())
      return send(
        by,
        `/public/v1/submit/${operation}`,
        { type, timestampMs, organizationId: by.organizationId, parameters },
        how,
      )
    },
  }
}

async function statuses(count: number, item: () => Promise<{ readonly status: number }>) {
  const all: number[] = []
  for (let i = 0; i < count; i++) all.push((await item()).status)
  return all
}

const TAG = 'ACTIVITY_TYPE_CREATE_USER_TAG'

test('a clock that is set neither fills a bucket nor keeps one empty', async (t) => {
  const { service, server } = await aLimitedService(t, { address: 1 })
  const { world, root } = service
  const whoami = () => asked(service, server).whoami(root)
  assert.deepEqual(await statuses(6, whoami), [200, 200, 200, 200, 200, 429])
  world.setClock(world.now() + HOUR)
  assert.equal((await whoami()).status, 429)
  world.setClock(world.now() - 2 * HOUR)
  world.advance(1_000)
  assert.equal((await whoami()).status, 200)
})

test('one request too many is answered 429 as clients know it, and leaves no record', async (t) => {
  const { service, server } = await aLimitedService(t, { address: 1 })
  const { submit } = asked(service, server)
  const make = (index: number) => submit(service.root, TAG, { userTagName: `Tag ${index}`, userIds: [] })
  for (let i = 0; i < 5; i++) assert.equal((await make(i)).status, 200)

  const refused = await make(5)

  assert.equal(refused.status, 429)
  assert.deepEqual(refused.json, {
    code: 8,
    message: 'Too many requests. Please wait and try again in a few seconds',
    details: [
      {
        '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail',
        turnkeyErrorCode: 'RATE_LIMIT_EXCEEDED',
      },
    ],
    turnkeyErrorCode: 'RATE_LIMIT_EXCEEDED',
  })
  assert.equal(refused.headers.get('ratelimit-limit'), '1')
  assert.equal(refused.headers.get('ratelimit-remaining'), '0')
  const { json } = await service.query(service.root, 'list_user_tags')
  assert.equal(json.userTags.length, 5)
  assert.deepEqual(server.limited, ['address'])
})

test('a body is not read where the credential of its stamp has asked too often', async (t) => {
  const { service, server } = await aLimitedService(t, { credential: 1 })
  const { whoami } = asked(service, server)
  const { root } = service
  const path = '/public/v1/query/whoami'
  const noJson = (key: Member['key']) => {
    const { stampHeaderName, stampHeaderValue } = stampWith(key, '{')
    return server.post(path, '{', { headers: { [stampHeaderName]: stampHeaderValue } })
  }
  assert.equal((await noJson(root.key)).status, 400)
  assert.deepEqual(await statuses(6, () => whoami(root)), [200, 200, 200, 200, 200, 429])

  assert.equal((await noJson(root.key)).status, 429)
  assert.equal((await noJson(service.newKey())).status, 400)
  assert.deepEqual(server.limited, ['credential', 'credential'])
})

test('another address is not limited with the first, and time gives back', async (t) => {
  const { service, server } = await aLimitedService(t, { address: 1 })
  const { whoami } = asked(service, server)
  assert.deepEqual(await statuses(6, () => whoami(service.root)), [200, 200, 200, 200, 200, 429])
  assert.equal((await whoami(service.root, { from: '198.51.100.2' })).status, 200)
  assert.equal((await whoami(service.root, { from: '2001:db8::1' })).status, 200)
  service.world.advance(1000)
  assert.deepEqual(await statuses(2, () => whoami(service.root)), [200, 429])
})

test('a request that cannot be read counts for its address', async (t) => {
  const { server } = await aLimitedService(t, { address: 1 })
  const junk = () => server.post('/public/v1/query/whoami', 'junk')
  assert.deepEqual(await statuses(6, junk), [400, 400, 400, 400, 400, 429])
})

test('a long body counts as many requests for its address, also when it cannot be read', async (t) => {
  const { service, server } = await aLimitedService(t, { address: 1 })
  const key = service.newKey()
  const junk = (text: string, from: string) => {
    const { stampHeaderName, stampHeaderValue } = stampWith(key, text)
    const headers = { [stampHeaderName]: stampHeaderValue }
    return server.post('/public/v1/query/whoami', text, { from, headers })
  }
  const long = 'x'.repeat(1_000_000)

  assert.equal((await junk(long, '198.51.100.8')).status, 400)
  assert.equal((await junk('x', '198.51.100.8')).status, 429)
  assert.deepEqual(await statuses(5, () => junk('x', '198.51.100.9')), [400, 400, 400, 400, 400])
})

test('a credential is limited wherever it is used from, for queries and activities together', async (t) => {
  const { service, server } = await aLimitedService(t, { credential: 1 })
  const { users, submit } = asked(service, server)
  const other = await service.user('Other')
  const [first, second] = [{ from: '198.51.100.1' }, { from: '198.51.100.2' }]
  assert.deepEqual(await statuses(3, () => users(service.root, first)), [200, 200, 200])
  const make = (name: string) => submit(service.root, TAG, { userTagName: name, userIds: [] }, second)
  assert.equal((await make('A')).status, 200)
  assert.equal((await make('B')).status, 200)
  const refused = await users(service.root, first)
  assert.deepEqual([refused.status, refused.headers.get('ratelimit-limit')], [429, '1'])
  assert.equal((await users(other, first)).status, 200)
  assert.deepEqual(server.limited, ['credential'])
})

test('a request that costs as much as many counts as many, for its credential and its address', async (t) => {
  const { service, server } = await aLimitedService(t, { credential: 1, address: 1 })
  const { users } = asked(service, server)
  const { root, world } = service
  const text = JSON.stringify({
    type: TAG,
    timestampMs: String(world.now()),
    organizationId: root.organizationId,
    parameters: { userTagName: 'Dear', userIds: [] },
  })
  const dear = text + ' '.repeat(400_000)
  const { stampHeaderName, stampHeaderValue } = stampWith(root.key, dear)
  const headers = { [stampHeaderName]: stampHeaderValue }
  const answer = await server.post('/public/v1/submit/create_user_tag', dear, { headers })
  assert.equal(answer.status, 200, answer.text)

  assert.equal((await users(root)).status, 429)
  assert.equal((await users(root, { from: '198.51.100.7' })).status, 429)
  assert.deepEqual(server.limited, ['address', 'credential'])
  const other = await service.user('Other')
  assert.equal((await users(other, { from: '198.51.100.7' })).status, 200)
})

test('a stamp that is written in another order counts for its credential as well', async (t) => {
  const { service, server } = await aLimitedService(t, { credential: 1 })
  const { root } = service
  const text = JSON.stringify({ organizationId: root.organizationId })
  const signature = signatureBy(root.key, text)
  const scheme = 'SIGNATURE_SCHEME_TK_API_P256'
  const stamp = { extra: '"', signature, scheme, publicKey: root.key.publicKey.toUpperCase() }
  const headers = { 'X-Stamp': Buffer.from(JSON.stringify(stamp)).toString('base64url') }
  const other = () => server.post('/public/v1/query/list_users', text, { headers })
  assert.deepEqual(await statuses(4, other), [200, 200, 200, 200])
  const { users } = asked(service, server)
  assert.deepEqual(await statuses(2, () => users(root)), [200, 429])
})

test('a stranger who names a credential without having its key uses up nothing of its share', async (t) => {
  const { service, server } = await aLimitedService(t, { credential: 1, organization: 1 })
  const { users, submit } = asked(service, server)
  const { root } = service
  const forged = { ...service.newKey(), publicKey: root.key.publicKey }
  const text = JSON.stringify({ organizationId: root.organizationId })
  const stamp = Buffer.from(
    JSON.stringify({
      publicKey: root.key.publicKey,
      scheme: 'SIGNATURE_SCHEME_TK_API_P256',
      signature: signatureBy(forged, text),
    }),
  ).toString('base64url')
  for (let i = 0; i < 20; i++) {
    const answer = await server.post('/public/v1/query/list_users', text, { headers: { 'X-Stamp': stamp } })
    assert.equal(answer.status, 401, answer.text)
    // A stranger who is nobody here, with a key of their own.
    assert.equal((await users(root, { stampedBy: service.newKey() })).status, 401)
    const stranger = { stampedBy: service.newKey() }
    assert.equal((await submit(root, TAG, { userTagName: 'X', userIds: [] }, stranger)).status, 401)
  }
  assert.deepEqual(await statuses(6, () => users(root)), [200, 200, 200, 200, 200, 429])
})

test('an organization is limited over all its credentials, also in what is refused to them', async (t) => {
  const { service, server } = await aLimitedService(t, { organization: 1 })
  const { users, submit } = asked(service, server)
  const members = [service.root, await service.user('One'), await service.user('Two')] as const
  assert.deepEqual(await statuses(2, () => users(members[0])), [200, 200])
  assert.deepEqual(await statuses(2, () => users(members[1])), [200, 200])
  const denied = await submit(members[2], TAG, { userTagName: 'No', userIds: [] })
  assert.equal(denied.status, 403)
  assert.equal((await users(members[2])).status, 429)
  assert.deepEqual(server.limited, ['organization'])
})

test('users of a sub-organization who ask with the id of its parent use up their own share, and nothing of the parent', async (t) => {
  const { service, server } = await aLimitedService(t, { organization: 1 })
  const { whoami, users } = asked(service, server)
  const ada = await aSubOrganization(service)
  const naming = { ...ada, organizationId: service.organizationId }
  assert.deepEqual(await statuses(7, () => whoami(naming)), [...Array(5).fill(200), 429, 429])
  assert.equal((await users(ada)).status, 429)
  assert.deepEqual(await statuses(2, () => whoami(service.root)), [200, 200])
  assert.equal((await users(service.root)).status, 200)
})

test('a parent that has used up its share keeps no user of a sub-organization out, and a forged stamp learns nothing', async (t) => {
  const { service, server } = await aLimitedService(t, { organization: 1 })
  const { whoami, users } = asked(service, server)
  const ada = await aSubOrganization(service)
  const naming = { ...ada, organizationId: service.organizationId }
  assert.equal((await statuses(6, () => users(service.root))).at(-1), 429)
  assert.equal((await whoami(naming)).status, 200)

  assert.equal((await statuses(6, () => whoami(naming))).at(-1), 429)
  const forger = service.newKey()
  const forged = { ...naming, key: { ...ada.key, privateKey: forger.privateKey } }
  assert.equal((await whoami(forged)).status, 401)
})

test('a contact is written to so often in an hour, in any spelling and for any sender', async (t) => {
  const { service, server } = await aLimitedService(t, { contact: 2 })
  const { submit } = asked(service, server)
  const { root, done, world } = service
  await done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
    name: 'FEATURE_NAME_OTP_EMAIL_AUTH',
    value: '',
  })
  const init = (contact: string, stampedBy?: Member['key']) =>
    submit(
      root,
      'ACTIVITY_TYPE_INIT_OTP_V3',
      { otpType: 'OTP_TYPE_EMAIL', contact, appName: 'Example' },
      stampedBy === undefined ? {} : { stampedBy },
    )
  // Who may not send anything uses up nothing.
  for (let i = 0; i < 5; i++) assert.equal((await init('ada@example.com', service.newKey())).status, 401)
  assert.equal((await init('ada@example.com')).status, 200)
  assert.equal((await init('Ada@Example.com')).status, 200)
  assert.equal((await init('ADA@example.com')).status, 429)
  assert.equal((await init('ben@example.com')).status, 200)
  world.advance(1_800_000)
  assert.deepEqual(await statuses(2, () => init('ada@example.com')), [200, 429])
  assert.deepEqual(server.limited, ['contact', 'contact'])
})

test('one mailbox has one budget for everything that is sent, under every address that leads to it', async (t) => {
  const { service, server } = await aLimitedService(t, { contact: 3 })
  const { submit } = asked(service, server)
  const { root, done } = service
  for (const name of [
    'FEATURE_NAME_OTP_EMAIL_AUTH',
    'FEATURE_NAME_EMAIL_AUTH',
    'FEATURE_NAME_EMAIL_RECOVERY',
  ])
    await done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name, value: '' })
  const { publicKey: targetPublicKey } = service.newKey()
  const mailed = { email: 'ada.l@gmail.com', targetPublicKey, emailCustomization: { appName: 'Example' } }
  const sends = [
    (contact: string) =>
      submit(root, 'ACTIVITY_TYPE_INIT_OTP_V3', { otpType: 'OTP_TYPE_EMAIL', contact, appName: 'Example' }),
    (email: string) => submit(root, 'ACTIVITY_TYPE_EMAIL_AUTH_V3', { ...mailed, email }),
    (email: string) => submit(root, 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2', { ...mailed, email }),
    (email: string) => submit(root, 'ACTIVITY_TYPE_CREATE_INVITATIONS', invited(root, [email])),
  ] as const

  for (const address of ['ada.l@gmail.com', 'AdaL+1@gmail.com', 'a.d.a.l+2@googlemail.com'])
    assert.equal((await sends[3](address)).status, 200)
  for (const send of sends) assert.equal((await send('adal+3@gmail.com')).status, 429)
  assert.equal((await sends[0]('ada.l@example.com')).status, 200)
  assert.equal((await sends[0]('adal@example.com')).status, 200, 'elsewhere a dot makes another mailbox')
})

test('a hundred invitations to one mailbox are refused, in one request, one after the other and all at once', async (t) => {
  const { service, server } = await aLimitedService(t, { contact: 10 })
  const { submit } = asked(service, server)
  const { root } = service
  const to = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}+${index}@example.com`)
  const invite = (addresses: readonly string[]) =>
    submit(root, 'ACTIVITY_TYPE_CREATE_INVITATIONS', invited(root, addresses))
  const sent = async () => (await sentMessages(service)).length

  assert.equal((await invite(to('ada', 11))).status, 429)
  const atOnce = await Promise.all(Array.from({ length: 10 }, () => invite(to('ada', 10))))
  assert.equal(atOnce.filter(({ status }) => status === 200).length, 1)
  assert.equal((await invite(to('ada', 1))).status, 429)
  assert.equal(await sent(), 10)
  const everybody = Array.from({ length: 90 }, (_, index) => `person${index}@example.com`)
  assert.equal((await invite(everybody)).status, 200)
})

function invited({ userId: senderUserId }: Member, addresses: readonly string[]) {
  return {
    invitations: addresses.map((receiverUserEmail) => ({
      receiverUserName: receiverUserEmail,
      receiverUserEmail,
      receiverUserTags: [],
      accessType: 'ACCESS_TYPE_ALL',
      senderUserId,
    })),
  }
}

function signatureBy(key: Member['key'], text: string): string {
  const { stampHeaderValue } = stampWith(key, text)
  return JSON.parse(Buffer.from(stampHeaderValue, 'base64url').toString()).signature
}

test('recoveries that begin again and again write to no mailbox more often than it takes, and each is stopped all the same', async (t) => {
  const { service, server } = await aLimitedService(t, { contact: 3 })
  const { root } = service
  const { userId } = root
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail: 'Eve+1@example.com' })
  const { submit } = asked(service, server)
  const send = async (by: Member, type: string, parameters: object): Promise<number> =>
    (await submit(by, type, parameters)).status
  const begins = async (): Promise<number> => {
    const set = aSet(service)
    assert.equal(await send(root, SET, set.parameters), 200)
    return await send(set.member, SET, begin(aComer(service).user))
  }
  assert.equal(await begins(), 200)
  assert.equal(await send(root, REMOVE, { name: ATTEMPT }), 200)
  assert.equal(await begins(), 200)
  assert.equal(await begins(), 429)
  // A stranger uses nothing up, and a root user is never too late to stop it.
  for (let times = 0; times < 5; times++)
    assert.equal(await send({ ...root, key: service.newKey() }, REMOVE, { name: ATTEMPT }), 401)
  assert.equal(await send(root, REMOVE, { name: ATTEMPT }), 200)
  assert.equal(await begins(), 429)
  service.world.advance(2 * HOUR)
  assert.equal(await begins(), 200)
})

test('an address that a root user gets while a recovery begins is counted for what is sent to it', async (t) => {
  const { service, server } = await aLimitedService(t, { contact: 3 })
  const { root } = service
  const { userId } = root
  const { submit } = asked(service, server)
  const emailOf = (userEmail: string) =>
    submit(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail })
  const mails: string[] = []
  const statuses: number[] = []
  for (let times = 0; times < 6; times++) {
    const set = aSet(service)
    assert.equal((await submit(root, SET, set.parameters)).status, 200)
    const { user } = aComer(service)
    const [changed, begun] = await Promise.all([
      emailOf('eve@example.com'),
      submit(set.member, SET, begin(user)),
    ])
    assert.equal(changed.status, 200)
    statuses.push(begun.status)
    assert.equal((await emailOf('')).status, 200)
    for (const message of await sentMessages(service))
      if (message.channel === 'email') mails.push(`${message.to} ${message.organizationRecovery?.state}`)
  }
  assert.deepEqual(statuses, [200, 200, 200, 429, 429, 429])
  assert.deepEqual(
    mails,
    Array.from({ length: 3 }, () => 'eve@example.com begun'),
  )
  // The vault knows that nothing was written, and the set begins one when the mailbox has room again.
  service.world.advance(HOUR)
  const set = aSet(service)
  assert.equal((await submit(root, SET, set.parameters)).status, 200)
  assert.equal((await emailOf('eve@example.com')).status, 200)
  assert.equal((await submit(set.member, SET, begin(aComer(service).user))).status, 200)
})

test('somebody who stops recoveries again and again keeps no mails of others from a mailbox', async (t) => {
  const { service, server } = await aLimitedService(t, { contact: 3 })
  const { root } = service
  const { userId } = root
  const { submit } = asked(service, server)
  const done = async (by: Member, type: string, parameters: object) =>
    assert.equal((await submit(by, type, parameters)).status, 200, type)
  for (let times = 0; times < 12; times++) {
    const set = aSet(service)
    await done(root, SET, set.parameters)
    await done(set.member, SET, begin(aComer(service).user))
    await done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail: 'ada@example.com' })
    await done(root, REMOVE, { name: ATTEMPT })
    await done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail: '' })
  }
  const elsewhere = await service.newOrganization()
  const addresses = ['ada@example.com']
  for (let times = 0; times < 3; times++)
    await done(elsewhere, 'ACTIVITY_TYPE_CREATE_INVITATIONS', invited(elsewhere, addresses))
})

test('a tenant that names several askers keeps mails of other tenants from a mailbox for a while, as the page says', async (t) => {
  const { service, server } = await aLimitedService(t, { contact: 2 })
  const { root } = service
  const { submit } = asked(service, server)
  await service.done(root, SET, { name: 'FEATURE_NAME_OTP_EMAIL_AUTH', value: '' })
  const contact = 'ada@example.com'
  for (const userIdentifier of ['one', 'one', 'two', 'two']) {
    const parameters = { otpType: 'OTP_TYPE_EMAIL', contact, appName: 'App', userIdentifier }
    const { status, text } = await submit(root, 'ACTIVITY_TYPE_INIT_OTP_V3', parameters)
    assert.equal(status, 200, text)
  }
  const elsewhere = await service.newOrganization()
  const invitation = () =>
    submit(elsewhere, 'ACTIVITY_TYPE_CREATE_INVITATIONS', invited(elsewhere, [contact]))
  assert.equal((await invitation()).status, 429)
  service.world.advance(HOUR / 4)
  assert.equal((await invitation()).status, 200)
})
