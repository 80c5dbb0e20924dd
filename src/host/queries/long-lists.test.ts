import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../trusted/activities/list.ts'
import { contractInterfaces } from '../../trusted/objects/contract-interface.ts'
import { privateKeys } from '../../trusted/objects/private-key.ts'
import { aSubOrganization } from '../../trusted/activities/organizations/testing/sub-organization.ts'
import { present } from '../../trusted/base/assert.ts'
import { quietHost } from '../../../test/support/quiet.ts'
import { aService, type TestService } from '../../../test/support/service.ts'
import { openHost } from '../pipeline/open-host.ts'
import { readerFor } from '../pipeline/reader.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import type { Store } from '../store/store.ts'

async function createKeys(service: TestService, count: number): Promise<readonly string[]> {
  const { privateKeys: created } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: Array.from({ length: count }, (_, at) => ({
      privateKeyName: `Key ${at} of ${service.world.now()}`,
      curve: 'CURVE_ED25519',
      privateKeyTags: [],
      addressFormats: [],
    })),
  })
  service.world.advance(1)
  return created.map(({ privateKeyId }: { readonly privateKeyId: string }) => privateKeyId)
}

/** A store in which each object of a kind stands many times. */
function repeating(store: Store, times: number): Pick<Store, 'objectsOfKind'> {
  let left = times
  return {
    objectsOfKind: async (organizationId, kind, { limit }) => {
      const [row] = await store.objectsOfKind(organizationId, kind, { limit: 1 })
      const count = Math.min(limit, left)
      left -= count
      return Array.from({ length: count }, () => present(row, 'an object of the kind'))
    },
  }
}

async function readerOver(service: TestService, objects: Pick<Store, 'objectsOfKind'>) {
  const { world, vault, organizationId, root } = service
  const store = { ...service.store, ...objects }
  const host = openHost({ ...quietHost, store, world, activities, vault })
  const signer = { userId: root.userId, userName: 'Root', organizationId, organizationName: '' }
  let spent = 0
  const reader = await readerFor(host, organizationId, signer, (units) => {
    spent += units
  })
  return { host, reader, spent: () => spent }
}

test('all private keys are listed, oldest first, alone and with their organization', async (t) => {
  const service = await aService()
  t.after(service.close)
  assert.deepEqual((await service.query(service.root, 'list_private_keys')).json, { privateKeys: [] })
  const ids: string[] = []
  for (let request = 0; request < 11; request++) ids.push(...(await createKeys(service, 100)))
  const { json: listed } = await service.query(service.root, 'list_private_keys')
  const found: readonly string[] = listed.privateKeys.map((key: { privateKeyId: string }) => key.privateKeyId)
  assert.deepEqual(found, ids.toSorted())
  const { json } = await service.query(service.root, 'get_organization')
  assert.deepEqual(json.organizationData.privateKeys, listed.privateKeys)
})

test('a long list is made in slices, between which others have their turns, and its cost is counted', async (t) => {
  const service = await aService()
  t.after(service.close)
  await createKeys(service, 1)
  const { host, reader, spent } = await readerOver(service, repeating(service.store, 10_000))
  const text = await reader.listText(privateKeys, (key) => key)
  assert.equal(JSON.parse(text).length, 10_000)
  assert.ok(host.pace.waits >= 5, `${host.pace.waits} waits`)
  assert.ok(spent() > 0.01 * text.length * 0.9, `${spent()} units`)
})

test('a list that would have more than 128 Mi characters is refused', async (t) => {
  const service = await aService()
  t.after(service.close)
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE', {
    smartContractAddress: '0x1111111111111111111111111111111111111111',
    smartContractInterface: `[${' '.repeat(380_000)}{"type":"function","name":"f","inputs":[],"outputs":[],"stateMutability":"view"}]`,
    type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
    label: 'Long',
  })
  const view = (known: object): object => known
  const { reader: shorter } = await readerOver(service, repeating(service.store, 300))
  assert.ok((await shorter.listText(contractInterfaces, view)).length > 100_000_000)
  const { reader } = await readerOver(service, repeating(service.store, 360))
  await assert.rejects(
    reader.listText(contractInterfaces, view),
    /^Failure: the list is too long: its answer would have more than 134217728 characters; ask for the entries one by one/,
  )
})

test('a page of sub-organizations with long charters is read a few at a time', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  let reads = 0
  const shy: Store = {
    ...store,
    charters: async (ids) => {
      reads++
      return (await store.charters(ids)).slice(0, 2)
    },
  }
  const service = await aService({ store: shy })
  t.after(service.close)
  const ids: string[] = []
  for (let n = 0; n < 5; n++) {
    ids.push((await aSubOrganization(service)).organizationId)
    service.world.advance(1)
  }
  reads = 0
  const { json: listed } = await service.query(service.root, 'list_suborgs')
  assert.deepEqual(listed.organizationIds, ids)
  assert.equal(reads, 3)
  const { json: searched } = await service.query(service.root, 'search_suborgs')
  assert.deepEqual(
    searched.subOrganizations.map(
      ({ organizationId }: { readonly organizationId: string }) => organizationId,
    ),
    ids.toReversed(),
  )
})

test('a page of activities is read in portions, also by a replay', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  const limits: number[] = []
  const counted: Store = {
    ...store,
    activities: async (organizationId, filter, page) => {
      limits.push(page.limit)
      return await store.activities(organizationId, filter, page)
    },
  }
  const service = await aService({ store: counted })
  t.after(service.close)
  for (let n = 0; n < 45; n++) await createKeys(service, 1)
  const paginationOptions = { limit: '45' }
  const { json: listed } = await service.query(service.root, 'list_activities', { paginationOptions })
  const { json: replayed } = await service.query(service.root, 'replay_policies', {
    draft: {},
    paginationOptions,
  })
  assert.deepEqual(
    replayed.replayed,
    listed.activities.map(({ id }: { readonly id: string }) => id),
  )
  assert.deepEqual(limits, [20, 20, 5, 20, 20, 5])
})
