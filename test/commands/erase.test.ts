import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand, runService } from '../support/running-service.ts'
import { ageCharters } from '../support/sealed-copies.ts'
import { founder, init, submit } from './founder.ts'

test('a deleted organization is erased, and the data verifies; a living one is not', async () => {
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_DATA: dataFolder }
  const { organizationId } = await init(dataFolder, key)
  const service = await runService('serve', { dataFolder })
  const customer = founder().key
  let subOrganizationId: string
  try {
    const { activity } = await submit(
      service.url,
      { organizationId, key },
      'create_sub_organization',
      'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7',
      {
        subOrganizationName: 'Customer',
        rootQuorumThreshold: 1,
        rootUsers: [
          {
            userName: 'Grace',
            apiKeys: [{ apiKeyName: 'Key', publicKey: customer.publicKey, curveType: 'API_KEY_CURVE_P256' }],
            authenticators: [],
            oauthProviders: [],
          },
        ],
      },
    )
    subOrganizationId = activity.result.createSubOrganizationResultV7.subOrganizationId
    const deletion = { deleteWithoutExport: true }
    await submit(
      service.url,
      { organizationId: subOrganizationId, key: customer },
      'delete_sub_organization',
      'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION',
      deletion,
    )
  } finally {
    await service.kill()
  }
  const erase = async (...args: readonly string[]) =>
    await runCommand(['organization', 'erase', ...args], settings)
  for (const [args, ends, problem] of [
    [[], 2, /erase ID/],
    [['one', 'two'], 2, /erase ID/],
    [[organizationId], 1, /is not deleted/],
    [[subOrganizationId], 1, /was deleted just now/],
  ] as const) {
    const { code, output } = await erase(...args)
    assert.equal(code, ends, output)
    assert.match(output, problem)
  }

  ageCharters(dataFolder, 66 * 60_000)
  const { code, output } = await erase(subOrganizationId, '--json')
  assert.equal(code, 0, output)
  const { activities, founding } = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '')
  assert.deepEqual([activities, founding], [1, true])
  const verified = await runCommand(['verify'], settings)
  assert.equal(verified.code, 0, verified.output)
})
