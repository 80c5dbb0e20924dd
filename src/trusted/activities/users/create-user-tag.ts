import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { label, list, object, uuid } from '../../catalogue/shape.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import { tagNameTaken, withTag } from '../../charter/tags.ts'
import { changedUser } from './changed-user.ts'

const userIds = list(uuid, { max: 100 })

export const createUserTag = defineActivity({
  operation: 'create_user_tag',
  summary: 'Create a user tag, and add it to users',
  forms: form('ACTIVITY_TYPE_CREATE_USER_TAG', object({ userTagName: label, userIds }), {
    key: 'createUserTagResult',
    shape: object({ userTagId: uuid, userIds }),
  }),
  resource: 'USER',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [...memberFailures, tagNameTaken],
  example: {
    intent: { userTagName: 'Signers', userIds: ['0198c5a0-7d3c-7000-8000-000000000002'] },
    result: {
      userTagId: '0198c5a0-7d3c-7000-8000-00000000000a',
      userIds: ['0198c5a0-7d3c-7000-8000-000000000002'],
    },
  },

  async execute({ intent, charter, now, newId, work }) {
    const userTagId = newId()
    const tag = {
      tagId: userTagId,
      tagName: intent.userTagName,
      tagType: 'TAG_TYPE_USER',
      createdAt: now,
      updatedAt: now,
    } as const
    const carriers = intent.userIds
      .map((userId) => knownUser(charter, userId))
      .map((user) => changedUser(user, { userTags: [...user.userTags, userTagId] }))
    return {
      result: { userTagId, userIds: intent.userIds },
      charter: await work.through(withUsers(withTag(charter, tag), carriers, now)),
    }
  },
})
