import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { list, object, uuid } from '../../catalogue/shape.ts'
import { memberFailures, withUsers } from '../../charter/members.ts'
import { tagNotFound, withoutTags } from '../../charter/tags.ts'
import { changedUser } from './changed-user.ts'

const userTagIds = list(uuid, { min: 1, max: 100 })

/** Policies that name a deleted tag stay unchanged: no user has the tag any more, so they stop matching. */
export const deleteUserTags = defineActivity({
  operation: 'delete_user_tags',
  summary: 'Delete user tags, and remove them from every user',
  forms: form('ACTIVITY_TYPE_DELETE_USER_TAGS', object({ userTagIds }), {
    key: 'deleteUserTagsResult',
    shape: object({ userTagIds, userIds: list(uuid, { max: 100 }) }),
  }),
  resource: 'USER',
  action: 'DELETE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [...memberFailures, tagNotFound],
  example: {
    intent: { userTagIds: ['0198c5a0-7d3c-7000-8000-00000000000a'] },
    result: {
      userTagIds: ['0198c5a0-7d3c-7000-8000-00000000000a'],
      userIds: ['0198c5a0-7d3c-7000-8000-000000000002'],
    },
  },

  async execute({ intent, charter, now, work }) {
    const without = withoutTags(charter, 'TAG_TYPE_USER', intent.userTagIds)
    const carriers = charter.users.filter((user) =>
      user.userTags.some((tagId) => intent.userTagIds.includes(tagId)),
    )
    const freed = carriers.map((user) =>
      changedUser(user, { userTags: user.userTags.filter((tagId) => !intent.userTagIds.includes(tagId)) }),
    )
    return {
      result: { userTagIds: intent.userTagIds, userIds: carriers.map(({ userId }) => userId) },
      charter: await work.through(withUsers(without, freed, now)),
    }
  },
})
