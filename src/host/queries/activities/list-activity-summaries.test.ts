import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openSqlite } from '../../store/sqlite/sqlite.ts'
import { countingStore } from '../../../../test/behaviour/counting-store.ts'
import { aService, type JsonAnswer, type Member } from '../../../../test/support/service.ts'

const sqlite = openSqlite({ path: ':memory:' })
const { store, counted } = countingStore(sqlite)
const service = await aService({ store })
const { root, world } = service
after(async () => {
  await service.close()
  await sqlite.close()
})

const policy = (policyName: string) => ({ policyName, effect: 'EFFECT_DENY', condition: 'false', notes: '' })
const POLICY = 'ACTIVITY_TYPE_CREATE_POLICY_V3'
const TAG = 'ACTIVITY_TYPE_CREATE_USER_TAG'

async function page(body: object, by: Member = root): Promise<JsonAnswer> {
  const { status, json, text } = await service.query(by, 'list_activity_summaries', body)
  assert.equal(status, 200, text)
  return json
}
const namesOf = ({ activities }: JsonAnswer) => activities.flatMap(({ names }: JsonAnswer) => names)

const ada = await service.user('Ada')
world.advance(1_000)
const start = world.now()
await service.done(root, POLICY, policy('Treasury signs'))
world.advance(1_000)
await service.submit(ada, POLICY, policy('Ada pays'))
world.advance(1_000)
await service.done(root, TAG, { userTagName: 'Auditors', userIds: [] })

test('a line tells what an activity is, who asked for it and the names in it, and not its contents', async () => {
  const { activities } = await page({ limit: '2' })
  const [tag, refused] = activities
  assert.deepEqual(
    [tag.kind, tag.status, tag.userId, tag.userName, tag.names],
    ['CREATE_USER_TAG', 'ACTIVITY_STATUS_COMPLETED', root.userId, 'Root', ['Auditors']],
  )
  assert.deepEqual(
    [refused.status, refused.userName, refused.names],
    ['ACTIVITY_STATUS_FAILED', 'Ada', ['Ada pays']],
  )
  assert.ok(JSON.stringify(tag).length < 600)
})

test('activities are found by resource, kind, status, user, time and a part of a name in any case', async () => {
  const from = { createdFrom: start }
  const found = async (filter: object) => namesOf(await page({ ...from, ...filter }))
  assert.deepEqual(await found({}), ['Auditors', 'Ada pays', 'Treasury signs'])
  assert.deepEqual(await found({ filterByResource: ['POLICY'] }), ['Ada pays', 'Treasury signs'])
  assert.deepEqual(await found({ filterByKind: ['CREATE_USER_TAG'] }), ['Auditors'])
  assert.deepEqual(await found({ filterByKind: ['CREATE_USER_TAG'], filterByResource: ['POLICY'] }), [])
  assert.deepEqual(await found({ filterByKind: ['NO_SUCH'] }), [])
  assert.deepEqual(await found({ filterByStatus: ['ACTIVITY_STATUS_FAILED'] }), ['Ada pays'])
  assert.deepEqual(await found({ userId: ada.userId }), ['Ada pays'])
  assert.deepEqual(await found({ userId: '0198c5a0-7d3c-7000-8000-00000000dead' }), [])
  assert.deepEqual(await found({ name: 'TREAS' }), ['Treasury signs'])
  // The name of the user who asked counts too.
  assert.deepEqual(await found({ name: 'ada' }), ['Ada pays'])
  assert.deepEqual(await found({ createdFrom: start + 1_000, createdBefore: start + 2_000 }), ['Ada pays'])
  assert.deepEqual(await found({ createdBefore: start + 1_000 }), ['Treasury signs'])
  assert.deepEqual(await found({ createdFrom: start + 9_999 }), [])
})

test('pages follow one another under each filter, and the last has no next', async () => {
  for (const filter of [{}, { name: 's' }, { filterByResource: ['POLICY', 'USER'] }]) {
    const all = namesOf(await page({ createdFrom: start, ...filter, limit: '100' }))
    const seen: string[] = []
    let next: string | undefined
    do {
      const one = await page({ createdFrom: start, ...filter, limit: '1', ...(next && { after: next }) })
      seen.push(...namesOf(one))
      next = one.next
    } while (next !== undefined)
    assert.deepEqual(seen, all)
  }
})

test('what another organization has done is found under no filter', async () => {
  const other = await service.newOrganization()
  for (const filter of [{}, { name: 'treasury' }, { userId: root.userId }, { filterByResource: ['POLICY'] }])
    assert.deepEqual((await page(filter, other)).activities, [])
})

test('a rare name in a long history costs five hundred records for each page, and is found in the end', async () => {
  const own = await service.newOrganization()
  const there = service.of(own)
  await there.done(own, TAG, { userTagName: 'Needle', userIds: [] })
  const { privateKeys } = await there.done(own, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [{ privateKeyName: 'Key', curve: 'CURVE_ED25519', privateKeyTags: [], addressFormats: [] }],
  })
  const sign = async (n: number) =>
    await there.done(own, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith: privateKeys[0].privateKeyId,
      payload: `${n}`,
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
    })
  for (let n = 0; n < 510; n += 30) await Promise.all(Array.from({ length: 30 }, (_, at) => sign(n + at)))
  counted.rows = 0
  const first = await page({ name: 'needle' }, own)
  assert.deepEqual(first.activities, [])
  assert.ok(counted.rows <= 510, `${counted.rows} rows`)
  const second = await page({ name: 'needle', after: first.next }, own)
  assert.deepEqual(namesOf(second), ['Needle'])
})

test('a line names the policies that allowed or denied, and none where policies were not asked', async () => {
  const deny = { ...policy('Nobody renames'), condition: "activity.kind == 'UPDATE_USER_TAG'" }
  world.advance(1_000)
  const { policyId } = await service.done(root, POLICY, deny)
  world.advance(1_000)
  const change = { userTagId: '0198c5a0-7d3c-7000-8000-00000000dead', addUserIds: [], removeUserIds: [] }
  await service.submit(ada, 'ACTIVITY_TYPE_UPDATE_USER_TAG', change)
  const { activities } = await page({ limit: '2' })
  assert.deepEqual(
    activities.map(({ decidedBy }: JsonAnswer) => decidedBy),
    [[{ policyId, outcome: 'OUTCOME_DENY_EXPLICIT' }], []],
  )
})
