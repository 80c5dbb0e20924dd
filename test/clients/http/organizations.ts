import assert from 'node:assert/strict'
import { test } from 'node:test'
import { present } from '../../../src/trusted/base/assert.ts'
import type { Setting } from '../setting.ts'

export function organizationFlows(setting: Setting): void {
  test('a stamped request tells who it came from', async () => {
    const { root, env } = setting
    const { organizationId } = root
    const { organizationName, userId, username } = await root.client.getWhoami({ organizationId })
    assert.deepEqual([organizationName, userId, username], ['Development', env.ROOT_USER_ID, 'Root'])
  })

  test('an organization is renamed, and its record shows users, quorum and the new name', async () => {
    const { root } = setting
    const { organizationId } = root
    await root.client.updateOrganizationName(
      root.activity('ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', { organizationName: 'Treasury' }),
    )
    const { organizationData } = await root.client.getOrganization({ organizationId })
    assert.equal(organizationData.organizationId, organizationId)
    assert.equal(organizationData.name, 'Treasury')
    assert.deepEqual(organizationData.rootQuorum, { threshold: 1, userIds: [root.userId] })
    const rootUser = present(organizationData.users?.[0], 'the root user')
    assert.equal(rootUser.apiKeys[0]?.credential.publicKey, root.publicKey)
  })

  test('a sub-organization is found by what stands in it, and its root user acts in it alone', async () => {
    const { root, subOrganization } = setting
    const { organizationId } = root
    const [ada] = await subOrganization('Ada', ['Ada'])
    const owner = present(ada, 'the root user')
    const find = async (filterType: string, filterValue: string) =>
      (await root.client.getSubOrgIds({ organizationId, filterType, filterValue })).organizationIds
    assert.deepEqual(await find('NAME', 'Ada'), [owner.organizationId])
    assert.deepEqual(await find('PUBLIC_KEY', owner.publicKey), [owner.organizationId])
    assert.deepEqual(await find('USERNAME', 'Nobody'), [])
    const { organizationIds } = await root.client.getSubOrgIds({ organizationId })
    assert.ok(organizationIds.includes(owner.organizationId))

    const whoami = await owner.client.getWhoami({ organizationId: owner.organizationId })
    assert.deepEqual([whoami.organizationName, whoami.userId], ['Ada', owner.userId])
    await assert.rejects(
      root.client.createUserTag({
        ...root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'From above', userIds: [] }),
        organizationId: owner.organizationId,
      }),
      {
        name: 'TurnkeyRequestError',
        message: new RegExp(
          `^Turnkey error 3: organization mismatch: request is targeting organization \\(${owner.organizationId}\\), but voters are in organization \\(${organizationId}\\)`,
        ),
      },
    )
  })

  test('a sub-organization whose keys were not exported is only deleted when its root user says so', async () => {
    const { root, subOrganization } = setting
    const owner = present((await subOrganization('Soon gone', ['Eve']))[0], 'the root user')
    await owner.client.createPrivateKeys(
      owner.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
        privateKeys: [
          { privateKeyName: 'Kept', curve: 'CURVE_ED25519', privateKeyTags: [], addressFormats: [] },
        ],
      }),
    )
    const remove = (deleteWithoutExport: boolean) =>
      owner.client.deleteSubOrganization(
        owner.activity('ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION', { deleteWithoutExport }),
      )
    await assert.rejects(remove(false), /^TurnkeyRequestError: Turnkey error \d+: /)
    const { activity } = await remove(true)
    assert.deepEqual(activity.result.deleteSubOrganizationResult, {
      subOrganizationUuid: owner.organizationId,
    })
    const { organizationIds } = await root.client.getSubOrgIds({ organizationId: root.organizationId })
    assert.equal(organizationIds.includes(owner.organizationId), false)
    await assert.rejects(owner.client.getWhoami({ organizationId: owner.organizationId }), /Turnkey error/)
  })

  test('a feature is set and removed, and the configuration shows it', async () => {
    const { root } = setting
    const { organizationId } = root
    await root.client.setOrganizationFeature(
      root.activity('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
        name: 'FEATURE_NAME_WEBAUTHN_ORIGINS',
        value: 'https://example.com',
      }),
    )
    const { configs } = await root.client.getOrganizationConfigs({ organizationId })
    const isIt = ({ name }: { name?: string }) => name === 'FEATURE_NAME_WEBAUTHN_ORIGINS'
    assert.deepEqual(configs.features?.filter(isIt), [
      { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: 'https://example.com' },
    ])
    assert.deepEqual(configs.quorum, { threshold: 1, userIds: [root.userId] })
    await root.client.removeOrganizationFeature(
      root.activity('ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE', { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS' }),
    )
    const later = await root.client.getOrganizationConfigs({ organizationId })
    assert.equal(later.configs.features?.some(isIt), false)
  })
}
