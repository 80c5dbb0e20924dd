import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { list, object, uuid } from '../../catalogue/shape.ts'
import { userNotFound, withoutUsers } from '../../charter/members.ts'
import { quorumUsersMissing } from '../../charter/quorum.ts'
import { userWithoutCredential } from '../../charter/ways-in.ts'
import { list as listOf, string } from '../../policy/types.ts'

const intent = object({ userIds: list(uuid, { min: 1, max: 100 }) })

/** The credentials of a user go with the user. Their votes stay in the records, and no longer count. */
export const deleteUsers = defineActivity({
  operation: 'delete_users',
  summary: 'Delete users',
  forms: form('ACTIVITY_TYPE_DELETE_USERS', intent, {
    key: 'deleteUsersResult',
    shape: object({ userIds: list(uuid, { max: 100 }) }),
  }),
  resource: 'USER',
  action: 'DELETE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [userNotFound, quorumUsersMissing, userWithoutCredential],
  example: {
    intent: { userIds: ['0198c5a0-7d3c-7000-8000-000000000002'] },
    result: { userIds: ['0198c5a0-7d3c-7000-8000-000000000002'] },
  },
  params: { types: { user_ids: listOf(string) }, of: ({ userIds }) => ({ user_ids: userIds }) },

  execute({ intent: { userIds }, charter, now }) {
    return { result: { userIds }, charter: withoutUsers(charter, userIds, now) }
  },
})
