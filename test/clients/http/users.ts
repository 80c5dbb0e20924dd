import assert from 'node:assert/strict'
import { test } from 'node:test'
import { present } from '../../../src/trusted/base/assert.ts'
import { type Setting, withKey } from '../setting.ts'

export function userFlows(setting: Setting): void {
  test('users are created, read, changed and deleted', async () => {
    const { root, user } = setting
    const { organizationId } = root
    const grace = await user(root, 'Grace')
    const { userId } = grace
    await root.client.updateUserName(
      root.activity('ACTIVITY_TYPE_UPDATE_USER_NAME', { userId, userName: 'Grace H' }),
    )
    await root.client.updateUserEmail(
      root.activity('ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail: 'grace@example.com' }),
    )
    await root.client.updateUserPhoneNumber(
      root.activity('ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER', { userId, userPhoneNumber: '+12025550123' }),
    )
    const read = await grace.client.getUser({ organizationId, userId })
    assert.equal(read.user.userName, 'Grace H')
    assert.equal(read.user.userEmail, 'grace@example.com')
    assert.equal(read.user.userPhoneNumber, '+12025550123')
    assert.match(read.user.createdAt.seconds, /^\d+$/)

    await root.client.updateUser(
      root.activity('ACTIVITY_TYPE_UPDATE_USER', { userId, userName: 'Grace Hopper' }),
    )
    const { users } = await root.client.getUsers({ organizationId })
    assert.ok(users.some(({ userName }) => userName === 'Grace Hopper'))

    const deleted = await root.client.deleteUsers(
      root.activity('ACTIVITY_TYPE_DELETE_USERS', { userIds: [userId] }),
    )
    assert.deepEqual(deleted.activity.result.deleteUsersResult, { userIds: [userId] })
    await assert.rejects(grace.client.getWhoami({ organizationId }), {
      message: /^Turnkey error 16: .*could not find public key in organization/,
    })
  })

  test('a user who only has an API key is created by the older form', async () => {
    const { root, someone } = setting
    const robot = someone(root.organizationId)
    const { activity } = await root.client.createApiOnlyUsers(
      root.activity('ACTIVITY_TYPE_CREATE_API_ONLY_USERS', {
        apiOnlyUsers: [
          {
            userName: 'Robot',
            userTags: [],
            apiKeys: [{ apiKeyName: 'Key', publicKey: robot.publicKey }],
          },
        ],
      }),
    )
    const userId = present(activity.result.createApiOnlyUsersResult?.userIds[0], 'the new user')
    const whoami = await robot.client.getWhoami({ organizationId: root.organizationId })
    assert.equal(whoami.userId, userId)
  })

  test('several users are created together or not at all', async () => {
    const { root, someone } = setting
    const { organizationId } = root
    const usable = { ...withKey(someone(organizationId), 'Usable'), userTags: [] }
    const locked = {
      userName: 'Locked out',
      apiKeys: [],
      authenticators: [],
      oauthProviders: [],
      userTags: [],
    }
    await assert.rejects(
      root.client.createUsers(root.activity('ACTIVITY_TYPE_CREATE_USERS_V4', { users: [usable, locked] })),
      { message: /^Turnkey error 3: user missing valid credential: .* \(Details: \[.*\]\)$/ },
    )
    const { users } = await root.client.getUsers({ organizationId })
    assert.equal(
      users.some(({ userName }) => userName === 'Usable'),
      false,
    )
  })

  test('a tag is given to users, renamed, taken from them and deleted', async () => {
    const { root, user } = setting
    const { organizationId } = root
    const [first, second] = [await user(root, 'First'), await user(root, 'Second')]
    const created = await root.client.createUserTag(
      root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Payers', userIds: [first.userId] }),
    )
    const tag = present(created.activity.result.createUserTagResult, 'the new tag')
    assert.deepEqual(tag.userIds, [first.userId])
    await root.client.updateUserTag(
      root.activity('ACTIVITY_TYPE_UPDATE_USER_TAG', {
        userTagId: tag.userTagId,
        newUserTagName: 'Signers',
        addUserIds: [second.userId],
        removeUserIds: [first.userId],
      }),
    )
    const { userTags } = await root.client.listUserTags({ organizationId })
    assert.ok(userTags.some(({ tagId, tagName }) => tagId === tag.userTagId && tagName === 'Signers'))
    const tagsOf = async ({ userId }: { userId: string }) =>
      (await root.client.getUser({ organizationId, userId })).user.userTags
    assert.deepEqual([await tagsOf(first), await tagsOf(second)], [[], [tag.userTagId]])
    const deleted = await root.client.deleteUserTags(
      root.activity('ACTIVITY_TYPE_DELETE_USER_TAGS', { userTagIds: [tag.userTagId] }),
    )
    assert.deepEqual(deleted.activity.result.deleteUserTagsResult?.userIds, [second.userId])
    assert.deepEqual(await tagsOf(second), [])
  })

  test('an invitation is written and taken back', async () => {
    const { root } = setting
    const { activity } = await root.client.createInvitations(
      root.activity('ACTIVITY_TYPE_CREATE_INVITATIONS', {
        invitations: [
          {
            receiverUserName: 'Newcomer',
            receiverUserEmail: 'newcomer@example.com',
            receiverUserTags: [],
            accessType: 'ACCESS_TYPE_ALL',
            senderUserId: root.userId,
          },
        ],
      }),
    )
    const invitationId = present(activity.result.createInvitationsResult?.invitationIds[0], 'the invitation')
    const deleted = await root.client.deleteInvitation(
      root.activity('ACTIVITY_TYPE_DELETE_INVITATION', { invitationId }),
    )
    assert.deepEqual(deleted.activity.result.deleteInvitationResult, { invitationId })
  })
}
