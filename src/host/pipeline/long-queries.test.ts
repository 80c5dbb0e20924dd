import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import { aService } from '../../../test/support/service.ts'
import { stampWith } from '../../../test/support/stamper.ts'
import { listPrivateKeys } from '../queries/private-keys/list-private-keys.ts'
import { queries } from '../queries/list.ts'
import { LongQueries } from './long-queries.ts'

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

/** A service whose lists of private keys are held until they are let go. */
async function aServiceWithHeldLists(t: TestContext) {
  let underWay = 0
  const end = Promise.withResolvers<void>()
  const planted = {
    ...listPrivateKeys,
    answer: async () => {
      underWay++
      await end.promise
      return { privateKeys: [] }
    },
  }
  const service = await aService({
    queries: queries.map((query) => (query === listPrivateKeys ? planted : query)),
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
