import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { label, list, object, optional, uuid } from '../../catalogue/shape.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import { checkTags, tagNotFound } from '../../charter/tags.ts'
import { emailOrNone, invalidEmail, invalidPhoneNumber, phoneNumberOrNone } from '../../catalogue/contacts.ts'
import { changedUser } from './changed-user.ts'
import { userFacts } from './user-facts.ts'

const fields = object({
  userId: uuid,
  userName: optional(label),
  userEmail: optional(emailOrNone, 'emptyIsGiven'),
  userTagIds: optional(list(uuid, { max: 100 }), 'emptyIsGiven'),
  userPhoneNumber: optional(phoneNumberOrNone, 'emptyIsGiven'),
})

/**
 * Clients in typed languages always send an empty list, because they cannot omit it, and policies depend on tags. So an
 * empty list removes all tags only in a request that changes nothing else.
 */
const intent: typeof fields = {
  ...fields,
  read: (value, at, reading) => {
    const read = fields.read(value, at, reading)
    const { userTagIds, ...others } = read
    const changesMore = Object.keys(others).length > 1
    return userTagIds?.length === 0 && changesMore ? others : read
  },
}

/**
 * Absent fields stay unchanged; empty text removes a contact, and an empty list without other changes removes all tags.
 */
export const updateUser = defineActivity({
  operation: 'update_user',
  summary: 'Change the name, the contacts or the tags of a user',
  forms: form('ACTIVITY_TYPE_UPDATE_USER', intent, {
    key: 'updateUserResult',
    shape: object({ userId: uuid }),
  }),
  resource: 'USER',
  action: 'UPDATE',
  authority: { kind: 'policies' },
  amends: true,
  personal: { of: 'one' },
  fails: [...memberFailures, tagNotFound, invalidEmail, invalidPhoneNumber],
  example: {
    intent: {
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      userName: 'Ada Lovelace',
      userTagIds: ['0198c5a0-7d3c-7000-8000-00000000000a'],
    },
    result: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
  },
  params: userFacts,

  async execute({ intent: { userId, userTagIds, ...wanted }, charter, now, work }) {
    const user = knownUser(charter, userId)
    checkTags(charter, 'TAG_TYPE_USER', userTagIds ?? [])
    const changed = changedUser(user, {
      ...wanted,
      ...(userTagIds === undefined ? {} : { userTags: userTagIds }),
    })
    return { result: { userId }, charter: await work.through(withUsers(charter, [changed], now)) }
  },
})
