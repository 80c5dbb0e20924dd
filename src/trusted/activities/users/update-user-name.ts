import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { label, object, uuid } from '../../catalogue/shape.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import { changedUser } from './changed-user.ts'
import { userFacts } from './user-facts.ts'

export const updateUserName = defineActivity({
  operation: 'update_user_name',
  summary: 'Rename a user',
  forms: form('ACTIVITY_TYPE_UPDATE_USER_NAME', object({ userId: uuid, userName: label }), {
    key: 'updateUserNameResult',
    shape: object({ userId: uuid }),
  }),
  resource: 'USER',
  action: 'UPDATE',
  authority: { kind: 'policies' },
  amends: true,
  personal: { of: 'one' },
  fails: memberFailures,
  example: {
    intent: { userId: '0198c5a0-7d3c-7000-8000-000000000002', userName: 'Ada Lovelace' },
    result: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
  },
  params: userFacts,

  async execute({ intent: { userId, userName }, charter, now, work }) {
    const changed = changedUser(knownUser(charter, userId), { userName })
    return { result: { userId }, charter: await work.through(withUsers(charter, [changed], now)) }
  },
})
