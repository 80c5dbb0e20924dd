import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openSqlite } from '../../store/sqlite/sqlite.ts'
import { countingStore } from '../../../../test/behaviour/counting-store.ts'
import { aService, type JsonAnswer, type TestService } from '../../../../test/support/service.ts'

const CREATE = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7'

async function aCountedService(t: TestContext) {
  const sqlite = openSqlite({ path: ':memory:' })
  const { store, counted } = countingStore(sqlite)
  const service = await aService({ store })
  t.after(async () => {
    await service.close()
    await sqlite.close()
  })
  return { service, counted }
}

async function created(
  service: TestService,
  subOrganizationName: string,
  userEmail?: string,
): Promise<string> {
  service.world.advance(1)
  const key = service.newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const user = {
    userName: 'Ada',
    ...(userEmail && { userEmail }),
    apiKeys,
    authenticators: [],
    oauthProviders: [],
  }
  const { subOrganizationId } = await service.done(service.root, CREATE, {
    subOrganizationName,
    rootQuorumThreshold: 1,
    rootUsers: [user],
  })
  return subOrganizationId
}

async function searched(service: TestService, body: object): Promise<JsonAnswer> {
  const { status, json, text } = await service.query(service.root, 'search_suborgs', body)
  assert.equal(status, 200, text)
  return json
}

const namesIn = ({ subOrganizations }: JsonAnswer) =>
  subOrganizations.map(({ organizationName }: JsonAnswer) => organizationName)

test('sub-organizations are found by how their name begins, in any case, page by page in order', async (t) => {
  const { service } = await aCountedService(t)
  for (const name of ['Customer 12', 'customer 1', 'CUSTOMER 3', 'Custard', 'Other', 'Ärger', '%_'])
    await created(service, name)
  assert.deepEqual(namesIn(await searched(service, { prefix: 'cUsTomer' })), [
    'customer 1',
    'Customer 12',
    'CUSTOMER 3',
  ])
  assert.deepEqual(namesIn(await searched(service, { prefix: '%' })), ['%_'])
  assert.deepEqual(namesIn(await searched(service, { prefix: 'Är' })), ['Ärger'])
  assert.deepEqual(namesIn(await searched(service, { prefix: 'ustomer' })), [])
  const first = await searched(service, { prefix: 'cust', limit: '3' })
  assert.deepEqual(namesIn(first), ['Custard', 'customer 1', 'Customer 12'])
  const second = await searched(service, { prefix: 'cust', limit: '3', after: first.next })
  assert.deepEqual([namesIn(second), second.next], [['CUSTOMER 3'], undefined])
})

test('without a prefix all are listed, the newest first, with their root users', async (t) => {
  const { service } = await aCountedService(t)
  for (const name of ['One', 'Two', 'Three']) await created(service, name, `${name}@example.com`)
  const first = await searched(service, { limit: '2' })
  assert.deepEqual(namesIn(first), ['Three', 'Two'])
  const [three] = first.subOrganizations
  assert.deepEqual(
    [three.rootUsers[0].userName, three.rootUsers[0].userEmail, three.userCount],
    ['Ada', 'Three@example.com', 1],
  )
  const second = await searched(service, { limit: '2', after: first.next })
  assert.deepEqual([namesIn(second), second.next], [['One'], undefined])
})

test('an e-mail address is searched for as it begins, and another organization finds none of it', async (t) => {
  const { service } = await aCountedService(t)
  await created(service, 'Hers', 'Ada.Lovelace@example.com')
  const byMail = { searchBy: 'EMAIL', prefix: 'ada.l' }
  assert.deepEqual(namesIn(await searched(service, byMail)), ['Hers'])
  assert.deepEqual(namesIn(await searched(service, { searchBy: 'NAME', prefix: 'ada.l' })), [])
  const other = await service.newOrganization()
  assert.deepEqual((await service.query(other, 'search_suborgs', byMail)).json, { subOrganizations: [] })
  assert.deepEqual((await service.query(other, 'search_suborgs', {})).json, { subOrganizations: [] })
})

test('a sub-organization that was renamed or deleted is not found by what it was called', async (t) => {
  const { service } = await aCountedService(t)
  const key = service.newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const { subOrganizationId: organizationId, rootUserIds } = await service.done(service.root, CREATE, {
    subOrganizationName: 'Before',
    rootQuorumThreshold: 1,
    rootUsers: [{ userName: 'Ada', apiKeys, authenticators: [], oauthProviders: [] }],
  })
  const ada = { organizationId, userId: rootUserIds[0], key }
  await service.done(ada, 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', { organizationName: 'Afterwards' })
  assert.deepEqual(namesIn(await searched(service, { prefix: 'before' })), [])
  assert.deepEqual(namesIn(await searched(service, { prefix: 'after' })), ['Afterwards'])
  await service.done(ada, 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION', { deleteWithoutExport: true })
  assert.deepEqual(namesIn(await searched(service, { prefix: 'after' })), [])
  assert.deepEqual(namesIn(await searched(service, {})), [])
})

test('a place of another list, and what is no place, is refused', async (t) => {
  const { service } = await aCountedService(t)
  for (const name of ['Aa', 'Ab', 'Ba', 'Bb']) await created(service, name)
  const { next } = await searched(service, { prefix: 'a', limit: '1' })
  const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const after of ['x', text(['a']), text(['a', 'b']), text({}), text(['a', 5]), text(null), next]) {
    const { status, json } = await service.query(service.root, 'search_suborgs', { prefix: 'b', after })
    assert.equal(status, 400, after)
    assert.match(json.message, /field `after` is not a `next` value from a page of this list/)
  }
})

test('a page reads as much with many sub-organizations as with few', async (t) => {
  const { service, counted } = await aCountedService(t)
  const costs: number[] = []
  for (const more of [5, 40]) {
    for (let n = 0; n < more; n++) await created(service, `Customer ${n}`)
    for (const body of [{ prefix: 'cust', limit: '3' }, { limit: '3' }]) {
      counted.rows = 0
      await searched(service, body)
      costs.push(counted.rows)
    }
  }
  assert.deepEqual(costs.slice(0, 2), costs.slice(2))
})
