import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { testWorld } from '../../../test/support/service.ts'
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
