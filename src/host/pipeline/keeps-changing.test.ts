import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { testWorld } from '../../../test/support/service.ts'
import { stampKeyFrom } from '../../../test/support/stamper.ts'
import { openServiceOn, sentBy, START } from '../../../test/tampering/harness.ts'
import { established, submission } from '../../../test/tampering/populated.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'

/** A vault that has seen another amendment at each of so many identifications. */
async function amendedDuring(t: TestContext, identifications: number) {
  const store = openSqlite({ path: ':memory:' })
  t.after(() => store.close())
  let left = 0
  const service = await openServiceOn(store, testWorld(1, START), (vault) => ({
    ...vault,
    identify: async (request) =>
      left-- > 0 ? { kind: 'outdated', what: `version ${left}`, cost: 0 } : await vault.identify(request),
  }))
  const root = await established(service, store, 'First')
  left = identifications
  return { service, root }
}

test('a query whose organization is amended during each attempt has its answer between two amendments', async (t) => {
  const { service, root } = await amendedDuring(t, 10)
  const { organizationId } = root
  const { status, text } = await service.send(sentBy(root.key, 'query/whoami', { organizationId }))
  assert.equal(status, 200, text)
})

test('an amendment that waits while others amend at each attempt is judged in its turn', async (t) => {
  const { service, root } = await amendedDuring(t, 1_000)
  const tag = (userTagName: string) =>
    service.send(submission(service.world, root, 'CREATE_USER_TAG', { userTagName, userIds: [] }))
  const answers = await Promise.all(['one', 'two', 'three'].map(tag))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
})

test('of forged queries that wait for a turn, one at a time stands before an amendment', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  t.after(() => store.close())
  const attempts = new Map<string, number>()
  const calls: string[] = []
  const gate = Promise.withResolvers<void>()
  let isGated = false
  let isHeld = false
  const until = async (isThere: () => boolean): Promise<void> => {
    while (!isThere()) await new Promise((resolve) => setImmediate(resolve))
  }
  const service = await openServiceOn(store, testWorld(1, START), (vault) => ({
    ...vault,
    identify: async (request) => {
      const attempt = (attempts.get(request.body) ?? 0) + 1
      attempts.set(request.body, attempt)
      if (request.body.includes('activityId') && attempt <= 10)
        return { kind: 'outdated', what: `version ${attempt}`, cost: 0 }
      calls.push('identify')
      return await vault.identify(request)
    },
    decide: async (request) => {
      isHeld = isGated
      if (isGated) await gate.promise
      calls.push('decide')
      return await vault.decide(request)
    },
  }))
  const root = await established(service, store, 'First')
  const { organizationId } = root
  const tag = (userTagName: string) =>
    service.send(submission(service.world, root, 'CREATE_USER_TAG', { userTagName, userIds: [] }))
  isGated = true
  const first = tag('first')
  await until(() => isHeld)
  const stranger = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', service.world.randomBytes)
  const forged = Array.from({ length: 20 }, (_, at) => {
    const activityId = `0198c5a0-7d3c-7000-8000-0000000000${at + 10}`
    return service.send(sentBy(stranger, 'query/get_activity', { organizationId, activityId }))
  })
  await until(() => [...attempts.values()].filter((made) => made === 10).length === forged.length)
  const second = tag('second')
  await until(() => calls.includes('identify'))
  calls.length = 0
  gate.resolve()

  assert.deepEqual([(await first).status, (await second).status], [200, 200])
  const before = calls.slice(0, calls.lastIndexOf('decide')).filter((call) => call === 'identify')
  assert.ok(before.length <= 2, `${before.length} forged queries stood before the amendment`)
  for (const { status } of await Promise.all(forged)) assert.equal(status, 401)
})
