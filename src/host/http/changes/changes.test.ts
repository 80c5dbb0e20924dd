import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aSubOrganization } from '../../../../test/behaviour/things.ts'
import type { JsonAnswer, Member, TestService } from '../../../../test/support/service.ts'
import type { CheckRequest } from '../../../protocol/vault.ts'
import { REQUEST_COST_MAX, requestTooCostly } from '../../../trusted/base/work.ts'
import { StoreError } from '../../store/store-error.ts'
import { aWatchedService, watch } from './testing/watched-service.ts'

const tag = (userTagName: string) => ({ userTagName, userIds: [] })
const TAG = 'ACTIVITY_TYPE_CREATE_USER_TAG'

test('a stream tells of each activity, and of each change of one that waits, to whom it may concern', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const { root } = service
  const ada = await service.user('Ada')
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two for tags',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'CREATE_USER_TAG'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  })
  const { stream } = await watch(service, root)
  assert.equal((await stream.next())?.event, 'ready')
  const { json } = await service.submit(ada, TAG, tag('Auditors'))
  await looked()
  const waiting = await stream.next()
  assert.deepEqual(
    [
      waiting?.event,
      waiting?.data.activityId,
      waiting?.data.status,
      waiting?.data.canApprove,
      waiting?.data.names,
    ],
    ['activity', json.activity.id, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', true, ['Auditors']],
  )
  await service.done(root, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint: json.activity.fingerprint })
  await looked()
  const settled = await stream.next()
  assert.deepEqual(
    [settled?.data.activityId, settled?.data.status, settled?.data.canApprove],
    [json.activity.id, 'ACTIVITY_STATUS_COMPLETED', false],
  )
  await stream.close()
})

test('a stream that broke goes on where it ended, and says so where it cannot', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const { root } = service
  const first = await watch(service, root)
  const ready = await first.stream.next()
  await service.done(root, TAG, tag('One'))
  await looked()
  const one = await first.stream.next()
  await first.stream.close()
  await service.done(root, TAG, tag('Two'))
  await looked()

  const again = await watch(service, root, { after: one?.id })
  assert.equal((await again.stream.next())?.event, 'ready')
  const two = await again.stream.next()
  assert.deepEqual([two?.event, two?.data.names], ['activity', ['Two']])
  const both = await watch(service, root, { after: ready?.id })
  await both.stream.next()
  const names = [(await both.stream.next())?.data.names, (await both.stream.next())?.data.names]
  assert.deepEqual(names, [['One'], ['Two']])

  for (const after of ['0.0', 'x', `${two?.id}9`, '-1']) {
    const lost = await watch(service, root, { after })
    await lost.stream.next()
    const reset = await lost.stream.next()
    assert.deepEqual([reset?.event, reset?.id], ['reset', two?.id], after)
    await lost.stream.close()
  }
})

test('many changes are verified a few at a time, because each record may be large', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const { root, vault } = service
  const { stream } = await watch(service, root)
  const ready = await stream.next()
  const { check } = vault
  t.mock.method(vault, 'check', async (request: CheckRequest) => {
    // As the vault does with 81 requests of a megabyte.
    if (request.activities.length > 20) throw requestTooCostly({ max: REQUEST_COST_MAX })
    return await check(request)
  })
  const names = Array.from({ length: 45 }, (_, at) => `Tag ${at}`)
  for (const name of names) {
    service.world.advance(1)
    await service.done(root, TAG, tag(name))
  }
  await looked()
  const again = await watch(service, root, { after: ready?.id })
  await again.stream.next()
  for (const one of [stream, again.stream]) {
    const told = new Set<unknown>()
    for (const _ of names) told.add((await one.next())?.data.names?.[0])
    assert.deepEqual(told, new Set(names))
    await one.close()
  }
})

test('a stream that broke between two of several changes goes on with the second', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const { root } = service
  const changed = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) {
      service.world.advance(1)
      await service.done(root, TAG, tag(name))
    }
    await looked()
  }
  let { stream } = await watch(service, root)
  await stream.next()
  await changed('One', 'Two', 'Three')
  const told: string[] = []
  for (let names = 0; told.at(-1) !== 'Last'; names++) {
    const one = await stream.next()
    told.push(one?.data.names[0])
    await stream.close()
    if (names === 0) await changed('Last')
    stream = (await watch(service, root, { after: one?.id })).stream
    assert.equal((await stream.next())?.event, 'ready')
  }
  assert.deepEqual(told.toSorted(), ['Last', 'One', 'Three', 'Two'])
  await stream.close()
})

test('what changes in another organization is told to nobody here', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const other = await service.newOrganization()
  const { stream } = await watch(service, service.root)
  await stream.next()
  await service.of(other).done(other, TAG, tag('Theirs'))
  await aSubOrganization(service)
  await looked()
  const event = await stream.next()
  assert.equal(event?.data.kind, 'CREATE_SUB_ORGANIZATION')
  await stream.close()
})

test('a user who may not read gets no stream', async (t) => {
  const { service } = await aWatchedService(t)
  const { root } = service
  const other = await service.newOrganization()
  const child = await aSubOrganization(service)
  const statuses = [
    await watch(service, other, { organizationId: root.organizationId }),
    await watch(service, child, { organizationId: root.organizationId }),
    await watch(service, { ...root, key: service.newKey() }),
    await watch(service, root, { session: 'x' }),
    await watch(service, root, { organizationId: '0198c5a0-7d3c-7000-8000-00000000dead' }),
  ].map(({ status }) => status)
  assert.deepEqual(statuses, [401, 401, 401, 401, 404])
  // A user of the parent reads its sub-organizations, by queries as by a stream.
  const ofParent = await watch(service, root, { organizationId: child.organizationId })
  assert.equal(ofParent.status, 200)
  await ofParent.stream.close()
})

test('a stream ends when its user is deleted, before anything else is told', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const { root } = service
  const ada = await service.user('Ada')
  const { stream } = await watch(service, ada)
  await stream.next()
  await service.done(root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [ada.userId] })
  await service.done(root, TAG, tag('Secret plans'))
  await looked()
  const end = await stream.next()
  assert.deepEqual([end?.event, end?.data.code], ['end', 16])
  assert.equal(await stream.next(), undefined)
})

test('a user who is deleted while their stream opens is told nothing', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const { root, store } = service
  const ada = await service.user('Ada')
  const sign = await signerWithKey(service)
  const { newestRevisions } = store
  t.mock.method(store, 'newestRevisions', async (...of: Parameters<typeof newestRevisions>) => {
    t.mock.restoreAll()
    // The stamp has been verified, and nobody watches yet.
    await service.done(root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [ada.userId] })
    return await newestRevisions(...of)
  })
  const { stream } = await watch(service, ada)
  assert.equal((await stream.next())?.event, 'ready')
  await sign()
  await looked()
  const end = await stream.next()
  assert.deepEqual([end?.event, end?.data.code], ['end', 16])
  assert.equal(await stream.next(), undefined)
})

test('a stream of a read-only session ends with the session', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const { root } = service
  const { session } = await service.done(root, 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION', {})
  const { stream } = await watch(service, root, { session })
  await stream.next()
  await looked(30 * 60 * 1000)
  await service.done(root, TAG, tag('Still here'))
  await looked()
  assert.equal((await stream.next())?.event, 'activity')
  await looked(31 * 60 * 1000)
  assert.equal((await stream.next())?.event, 'end')
  assert.equal(await stream.next(), undefined)
})

test('a change that an outage kept from being told is told to the stream that is resumed', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const { root, store } = service
  const { stream } = await watch(service, root)
  const ready = await stream.next()
  await looked()
  await service.done(root, TAG, tag('One'))
  const { charter } = store
  let isOut = true
  t.mock.method(store, 'charter', async (...of: Parameters<typeof charter>) => {
    if (!isOut) return await charter(...of)
    isOut = false
    throw new StoreError('unavailable', 'the store is gone for a moment')
  })
  await looked()
  assert.equal(await stream.next(), undefined)
  const again = await watch(service, root, { after: ready?.id })
  await again.stream.next()
  assert.deepEqual((await again.stream.next())?.data.names, ['One'])
  await again.stream.close()
})

test('a session that ended during a long look is told nothing that was found after it', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const { root, store, world } = service
  const other = await service.newOrganization()
  const busy = await watch(service, other)
  await busy.stream.next()
  const sign = await signerWithKey(service)
  const { session } = await service.done(root, 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION', {})
  const { stream } = await watch(service, root, { session })
  await stream.next()
  await looked(3_590_000)
  await looked()

  await service.of(other).done(other, TAG, tag('Theirs'))
  await sign()
  const { newestRevisions } = store
  t.mock.method(store, 'newestRevisions', async (...of: Parameters<typeof newestRevisions>) => {
    if (of[0] === other.organizationId) world.advance(14_000)
    return await newestRevisions(...of)
  })
  await looked()
  assert.deepEqual([(await busy.stream.next())?.event, (await stream.next())?.event], ['activity', 'end'])
  assert.equal(await stream.next(), undefined)
})

test('a stream of a sub-organization ends with it, and for a user whom the parent has deleted', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const child = await aSubOrganization(service)
  const ada = await service.user('Ada')
  const { organizationId } = child
  const byAda = await watch(service, ada, { organizationId })
  const own = await watch(service, child)
  await byAda.stream.next()
  await own.stream.next()
  await service.done(service.root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [ada.userId] })
  await looked(15_000)
  assert.equal((await byAda.stream.next())?.event, 'end')
  const gone = { deleteWithoutExport: true }
  await service.done(child, 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION', gone, { organizationId })
  await looked()
  assert.deepEqual([(await own.stream.next())?.event, await own.stream.next()], ['end', undefined])
})

test('a clock that is set back puts off no end of a stream', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const child = await aSubOrganization(service)
  const ada = await service.user('Ada')
  const sign = await signerWithKey({ ...service.of(child), root: child })
  const byAda = await watch(service, ada, { organizationId: child.organizationId })
  const own = await watch(service, child)
  await byAda.stream.next()
  await own.stream.next()
  await looked()
  await service.done(service.root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [ada.userId] })
  await looked(15_000, -3_600_000)
  await sign()
  await looked()
  assert.deepEqual(
    [(await own.stream.next())?.event, (await byAda.stream.next())?.event],
    ['activity', 'end'],
  )
  assert.equal(await byAda.stream.next(), undefined)
  await own.stream.close()
})

test('one user has four streams at a time, and a stream that ends makes room', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const { root } = service
  const open = [1, 2, 3, 4].map(() => watch(service, root))
  const streams = await Promise.all(open)
  const refused = await watch(service, root)
  assert.equal(refused.status, 429)
  const ada = await watch(service, await service.user('Ada'))
  assert.equal(ada.status, 200)
  await streams[0]?.stream.close()
  for (let status = 429; status === 429; await looked()) {
    const more = await watch(service, root)
    status = more.status
  }
})

test('the store is read once for all who watch an organization, and not at all where nothing happens', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const { store, root } = service
  const users = await Promise.all(['Ada', 'Bea', 'Cyd'].map((name) => service.user(name)))
  const streams = await Promise.all(users.map((user) => watch(service, user)))
  for (const { stream } of streams) await stream.next()
  await looked()
  const looks = t.mock.method(store, 'newestRevisions')
  await looked()
  assert.equal(looks.mock.callCount(), 0)
  await service.done(root, TAG, tag('Seen by all'))
  await looked()
  for (const { stream } of streams) assert.equal((await stream.next())?.data.names[0], 'Seen by all')
  assert.equal(looks.mock.callCount(), 1)
})

/** Makes a key, and signs with it: signatures amend nothing, so they are no reason to ask the vault again. */
async function signerWithKey(service: Pick<TestService, 'root' | 'done'>): Promise<() => Promise<void>> {
  const key = { privateKeyName: 'Treasury', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }
  const { root } = service
  const made = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys: [key] })
  return async () => {
    await service.done(root, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith: made.privateKeys[0].privateKeyId,
      payload: 'ab',
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_SHA256',
    })
  }
}

/** Each is refused, and leaves a record. */
async function refusals(service: TestService, by: Member, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    service.world.advance(1)
    const wallet = { walletName: 'Mine', accounts: [] }
    assert.equal((await service.submit(by, 'ACTIVITY_TYPE_CREATE_WALLET', wallet)).status, 403)
  }
}

/** An activity that waits for a second vote, by one who may not decide alone. */
async function waitingTag(service: TestService, by: Member, name: string): Promise<JsonAnswer> {
  service.world.advance(1)
  const { json } = await service.submit(by, TAG, tag(name))
  assert.equal(json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  return json.activity
}

async function twoForTags(service: TestService): Promise<Member> {
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two for tags',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'CREATE_USER_TAG'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  })
  return await service.user('Ada')
}

test('more changes than a look reads are said to be lost, also where an older one still waits', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const ada = await twoForTags(service)
  await waitingTag(service, ada, 'Waits')
  const { stream } = await watch(service, service.root)
  await stream.next()
  await looked()
  await refusals(service, ada, 150)
  await looked()
  assert.equal((await stream.next())?.event, 'reset')
  await stream.close()
})

test('what began to wait while more happened than is told is told of when it is decided', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const ada = await twoForTags(service)
  const { stream } = await watch(service, service.root)
  await stream.next()
  await looked()
  const { id, fingerprint } = await waitingTag(service, ada, 'Waits')
  await refusals(service, ada, 150)
  await looked()
  assert.equal((await stream.next())?.event, 'reset')
  await service.done(service.root, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  await looked()
  assert.equal((await stream.next())?.data.activityId, id)
  await stream.close()
})

test('of more activities that wait than are remembered each is told of when it is decided', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const ada = await twoForTags(service)
  const waiting: JsonAnswer[] = []
  for (let n = 0; n < 120; n++) waiting.push(await waitingTag(service, ada, `Waits ${n}`))
  const { stream } = await watch(service, service.root)
  await stream.next()
  await looked()
  const { id, fingerprint } = waiting[0]
  await service.done(service.root, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  await looked()
  assert.equal((await stream.next())?.data.activityId, id)
  await stream.close()
})

test('the records for streams that open at once are read one page after the other', async (t) => {
  const { service } = await aWatchedService(t)
  const ada = await twoForTags(service)
  for (let n = 0; n < 50; n++) await waitingTag(service, ada, `Waits ${n}`)
  const { store } = service
  const { activities } = store
  const limits: number[] = []
  let [underWay, most] = [0, 0]
  t.mock.method(store, 'activities', async (...of: Parameters<typeof activities>) => {
    limits.push(of[2].limit)
    most = Math.max(most, ++underWay)
    await new Promise((resolve) => setImmediate(resolve))
    const rows = await activities(...of)
    underWay--
    return rows
  })
  const streams = await Promise.all([service.root, service.root, ada, ada].map((by) => watch(service, by)))
  for (const { status, stream } of streams) {
    assert.equal(status, 200)
    await stream.close()
  }
  assert.equal(most, 1)
  assert.deepEqual([...new Set(limits)], [20])
})

test('many long changes of one moment cut off no reader that reads them at once', async (t) => {
  const { service, looked } = await aWatchedService(t)
  const ada = await service.user('Ada')
  const { stream } = await watch(service, service.root)
  await stream.next()
  await looked()
  const privateKeys = Array.from({ length: 10 }, (_, at) => ({
    privateKeyName: `${at} ${'n'.repeat(250)}`,
    curve: 'CURVE_SECP256K1',
    privateKeyTags: [],
    addressFormats: [],
  }))
  for (let n = 0; n < 98; n++) {
    service.world.advance(1)
    const { status } = await service.submit(ada, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys })
    assert.equal(status, 403)
  }
  await looked()
  for (let n = 0; n < 98; n++) assert.equal((await stream.next())?.data.names.length, 10)
  await stream.close()
})
