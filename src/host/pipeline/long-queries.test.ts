import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import { aService } from '../../../test/support/service.ts'
import { stampWith } from '../../../test/support/stamper.ts'
import { fieldsOf } from '../../trusted/catalogue/fields.ts'
import type { Query } from '../../trusted/catalogue/query.ts'
import { listPrivateKeys } from '../queries/private-keys/list-private-keys.ts'
import { queries } from '../queries/list.ts'
import { listAppProofs } from '../queries/proofs/list-app-proofs.ts'
import { activities } from '../../trusted/activities/list.ts'
import { answer } from './answer.ts'
import { LongQueries } from './long-queries.ts'
import { openHost } from './open-host.ts'

async function settledTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('two long queries of an organization are under way at once, and eight of all', async () => {
  const long = new LongQueries({ ofEach: 2, all: 8 })
  const started: string[] = []
  const ends: (() => void)[] = []
  const ask = (organizationId: string): Promise<void> =>
    long.run(organizationId, async () => {
      started.push(organizationId)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
  const asked = ['a', 'a', 'a', 'b', 'b', 'c', 'c', 'd', 'd', 'd', 'e', 'f'].map(ask)
  await settledTurns()
  assert.deepEqual(started, ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd'])
  // The first of all, which is one of `a`. The next one is of an organization that has had none yet.
  ends.shift()?.()
  await settledTurns()
  assert.deepEqual(started.slice(8), ['e'])
  while (ends.length > 0) {
    ends.shift()?.()
    await settledTurns()
  }
  await Promise.all(asked)
  assert.deepEqual(started.toSorted(), ['a', 'a', 'a', 'b', 'b', 'c', 'c', 'd', 'd', 'd', 'e', 'f'])
})

/** A service whose answers to this query, by default lists of private keys, are held until they are let go. */
async function aServiceWithHeldLists(
  t: TestContext,
  held: Query = listPrivateKeys,
  answered: object = { privateKeys: [] },
) {
  let underWay = 0
  const end = Promise.withResolvers<void>()
  const planted = {
    ...held,
    answer: async () => {
      underWay++
      await end.promise
      return answered
    },
  }
  const service = await aService({
    queries: queries.map((query) => (query === held ? planted : query)),
  })
  t.after(service.close)
  return { service, underWay: () => underWay, end: end.resolve }
}

test('a long query waits for those of its organization, and others do not', async (t) => {
  const { service, underWay, end } = await aServiceWithHeldLists(t)
  const other = await service.newOrganization()
  const asked = Array.from({ length: 4 }, () => service.query(service.root, 'list_private_keys'))
  while (underWay() < 2) await settledTurns()
  const ofOther = service.query(other, 'list_private_keys')
  while (underWay() < 3) await settledTurns()
  assert.equal((await service.query(service.root, 'whoami')).status, 200)
  assert.equal(underWay(), 3)
  end()
  for (const { status } of await Promise.all([...asked, ofOther])) assert.equal(status, 200)
  assert.equal(underWay(), 5)
})

test('eight records of an organization are read at once, and longer answers do not hold them up', async (t) => {
  const { service, underWay, end } = await aServiceWithHeldLists(t, listAppProofs, { appProofs: [] })
  const other = await service.newOrganization()
  const activityId = '0198c5a0-7d3c-7000-8000-000000000009'
  const ask = (by = service.root) => service.query(by, 'list_app_proofs', { activityId })
  const asked = Array.from({ length: 12 }, () => ask())
  while (underWay() < 8) await settledTurns()
  const ofOther = ask(other)
  while (underWay() < 9) await settledTurns()
  assert.equal((await service.query(service.root, 'list_private_keys')).status, 200)
  assert.equal(underWay(), 9)
  end()
  for (const { status } of await Promise.all([...asked, ofOther])) assert.equal(status, 200)
  assert.equal(underWay(), 13)
})

test('records in a slow storage of archives hold up nobody who reads one of the store', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root, store, vault, world } = service
  const { json } = await service.submit(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'A',
    userIds: [],
  })
  const end = Promise.withResolvers<undefined>()
  let waiting = 0
  const slow = async (): Promise<undefined> => {
    waiting++
    return await end.promise
  }
  const host = openHost({
    store,
    vault,
    world,
    activities,
    outside: async () => ({ kind: 'failed', why: 'nobody is asked' }),
    onCommitted: () => {},
    archives: { activity: slow, activities: async () => [], forget: () => {}, look: async () => [] },
  })
  const ask = async (activityId: string): Promise<string> => {
    const body = Buffer.from(JSON.stringify({ organizationId: root.organizationId, activityId }))
    const { stampHeaderValue } = stampWith(root.key, body)
    return await answer(host, listAppProofs, { body, stamp: { xStamp: stampHeaderValue } }).then(
      ({ kind }) => kind,
      ({ kind }) => kind,
    )
  }
  const missing = Array.from({ length: 12 }, () => ask('0198c5a0-7d3c-7000-8000-000000000009'))
  while (waiting < 2) await settledTurns()
  assert.equal(await ask(json.activity.id), 'ok')
  assert.equal(waiting, 2)
  end.resolve(undefined)
  assert.deepEqual(new Set(await Promise.all(missing)), new Set(['activityNotFound']))
})

test('every query that reads the record of one activity waits for its turn', () => {
  const ofOne = queries.filter(({ request }) =>
    fieldsOf(request.schema).some(({ path }) => path === 'activityId'),
  )
  assert.ok(ofOne.length > 3)
  // What judges it again is slow, and must hold up nobody who waits for the record of a signature.
  for (const { operation, long } of ofOne)
    assert.equal(long, operation === 'explain_activity' ? 'answer' : 'record', operation)
})

test('a long query whose client has gone away while it waited takes no turn', async (t) => {
  const { service, underWay, end } = await aServiceWithHeldLists(t)
  const held = [1, 2].map(() => service.query(service.root, 'list_private_keys'))
  while (underWay() < 2) await settledTurns()
  const body = JSON.stringify({ organizationId: service.organizationId })
  const { stampHeaderName, stampHeaderValue } = stampWith(service.root.key, Buffer.from(body))
  const { hostname, port } = new URL(service.baseUrl)
  const client = connect(Number(port), hostname)
  const head = [
    'POST /public/v1/query/list_private_keys HTTP/1.1',
    'host: x',
    `content-length: ${body.length}`,
    `${stampHeaderName}: ${stampHeaderValue}`,
  ]
  const turns = t.mock.method(LongQueries.prototype, 'run')
  client.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  while (turns.mock.callCount() < 1) await settledTurns()
  await settledTurns()
  client.end()
  client.resume()
  await once(client, 'close')
  await settledTurns()
  end()
  for (const { status } of await Promise.all(held)) assert.equal(status, 200)
  assert.equal((await service.query(service.root, 'list_private_keys')).status, 200)
  assert.equal(underWay(), 3)
})

test('a long query that has waited is refused to a user who was deleted meanwhile', async (t) => {
  const { service, underWay, end } = await aServiceWithHeldLists(t)
  const ada = await service.user('Ada')
  const held = [1, 2].map(() => service.query(service.root, 'list_private_keys'))
  while (underWay() < 2) await settledTurns()
  const turns = t.mock.method(LongQueries.prototype, 'run')
  const late = service.query(ada, 'list_private_keys')
  while (turns.mock.callCount() < 1) await settledTurns()
  await settledTurns()
  await service.done(service.root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [ada.userId] })
  end()
  for (const { status } of await Promise.all(held)) assert.equal(status, 200)
  assert.equal((await late).status, 401)
  assert.equal(underWay(), 2)
})
