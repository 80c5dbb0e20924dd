import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, optional, uuid } from '../../catalogue/shape.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import { changedUser } from './changed-user.ts'
import { emailOrNone, invalidEmail } from './contacts.ts'
import { notSupported, refuseVerificationToken, verificationToken } from './not-supported.ts'

const intent = object({
  userId: uuid,
  userEmail: emailOrNone,
  verificationToken: optional(verificationToken),
})

/** Empty text removes the address. */
export const updateUserEmail = defineActivity({
  operation: 'update_user_email',
  summary: 'Change or remove the e-mail address of a user',
  forms: form('ACTIVITY_TYPE_UPDATE_USER_EMAIL', intent, {
    key: 'updateUserEmailResult',
    shape: object({ userId: uuid }),
  }),
  resource: 'USER',
  action: 'UPDATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [...memberFailures, invalidEmail, notSupported],
  example: {
    intent: { userId: '0198c5a0-7d3c-7000-8000-000000000002', userEmail: 'ada@example.com' },
    result: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
  },
  validate: (wanted) => refuseVerificationToken(wanted),

  execute({ intent: { userId, userEmail }, charter, now }) {
    const changed = changedUser(knownUser(charter, userId), { userEmail })
    return { result: { userId }, charter: withUsers(charter, [changed], now) }
  },
})
