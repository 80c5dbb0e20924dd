import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand, runService } from '../support/running-service.ts'
import { ageActivities, ageCharters } from '../support/sealed-copies.ts'
import { founder, init, submit } from './founder.ts'

test('a deleted user is erased, and the data verifies; a living one is not', async () => {
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_DATA: dataFolder }
  const { organizationId } = await init(dataFolder, key)
  const service = await runService('serve', { dataFolder })
  const made: string[] = []
  try {
    const by = { organizationId, key }
    for (const userName of ['Grace', 'Mary']) {
      const { publicKey } = founder().key
      const apiKeys = [{ apiKeyName: `Key of ${userName}`, publicKey, curveType: 'API_KEY_CURVE_P256' }]
      const users = [{ userName, apiKeys, authenticators: [], oauthProviders: [], userTags: [] }]
      const { activity } = await submit(service.url, by, 'create_users', 'ACTIVITY_TYPE_CREATE_USERS_V3', {
        users,
      })
      made.push(activity.result.createUsersResult.userIds[0])
    }
    await submit(service.url, by, 'delete_users', 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [made[0]] })
  } finally {
    await service.kill()
  }
  const [grace = '', mary = ''] = made
  const erase = async (...args: readonly string[]) => await runCommand(['user', 'erase', ...args], settings)
  const named = (userId: string) => ['--organization', organizationId, '--user', userId]
  for (const [args, ends, problem] of [
    [[], 2, /erase --organization ID --user ID/],
    [['--user', grace], 2, /erase --organization ID --user ID/],
    [[...named(grace), 'more'], 2, /Unexpected argument/],
    [named(mary), 1, /is a user of organization/],
    [named(organizationId), 1, /no activity in the data says/],
    [named(grace), 1, /was deleted just now/],
  ] as const) {
    const { code, output } = await erase(...args)
    assert.equal(code, ends, output)
    assert.match(output, problem)
  }

  ageActivities(dataFolder, 66 * 60_000)
  ageCharters(dataFolder, 65 * 60_000)
  const { code, output } = await erase(...named(grace), '--json')
  assert.equal(code, 0, output)
  const erased = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '')
  assert.deepEqual([erased.userId, erased.activities, erased.live], [grace, 1, []])
  const again = await erase(...named(grace))
  assert.equal(again.code, 0, again.output)
  assert.match(again.output, /the data about this user in 0 records was erased/)
  const verified = await runCommand(['verify'], settings)
  assert.equal(verified.code, 0, verified.output)
})
