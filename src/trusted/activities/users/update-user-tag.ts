import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { label, list, object, optional, refined, uuid } from '../../catalogue/shape.ts'
import { checkUsers, knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import { knownTag, tagNameTaken, tagNotFound, withTag } from '../../charter/tags.ts'
import { changedUser } from './changed-user.ts'

const userIds = list(uuid, { max: 100 })

const intent = refined(
  object({
    userTagId: uuid,
    newUserTagName: optional(label),
    addUserIds: userIds,
    removeUserIds: userIds,
  }),
  {
    problem: ({ addUserIds, removeUserIds }) => {
      const both = addUserIds.find((userId) => removeUserIds.includes(userId))
      return both === undefined ? undefined : `cannot both add and remove user ${both}`
    },
  },
)

/** Adding a tag that a user already has, or removing one that a user does not have, is allowed. */
export const updateUserTag = defineActivity({
  operation: 'update_user_tag',
  summary: 'Rename a user tag, and add it to users or remove it from them',
  forms: form('ACTIVITY_TYPE_UPDATE_USER_TAG', intent, {
    key: 'updateUserTagResult',
    shape: object({ userTagId: uuid }),
  }),
  resource: 'USER',
  action: 'UPDATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [...memberFailures, tagNotFound, tagNameTaken],
  example: {
    intent: {
      userTagId: '0198c5a0-7d3c-7000-8000-00000000000a',
      newUserTagName: 'Treasury signers',
      addUserIds: ['0198c5a0-7d3c-7000-8000-000000000002'],
      removeUserIds: [],
    },
    result: { userTagId: '0198c5a0-7d3c-7000-8000-00000000000a' },
  },

  async execute({ intent: { userTagId, newUserTagName, addUserIds, removeUserIds }, charter, now, work }) {
    const tag = knownTag(charter, 'TAG_TYPE_USER', userTagId)
    checkUsers(charter, [...addUserIds, ...removeUserIds])
    const added = addUserIds
      .map((userId) => knownUser(charter, userId))
      .filter((user) => !user.userTags.includes(userTagId))
      .map((user) => changedUser(user, { userTags: [...user.userTags, userTagId] }))
    const removed = charter.users
      .filter((user) => removeUserIds.includes(user.userId) && user.userTags.includes(userTagId))
      .map((user) => changedUser(user, { userTags: user.userTags.filter((tagId) => tagId !== userTagId) }))
    const renamed = withTag(charter, { ...tag, tagName: newUserTagName ?? tag.tagName, updatedAt: now })
    return {
      result: { userTagId },
      charter: await work.through(withUsers(renamed, [...added, ...removed], now)),
    }
  },
})
