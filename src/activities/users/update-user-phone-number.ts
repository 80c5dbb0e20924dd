import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, optional, uuid } from '../../catalogue/shape.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import { changedUser } from './changed-user.ts'
import { phoneNumberOrNone, invalidPhoneNumber } from './contacts.ts'
import { notSupported, refuseVerificationToken, verificationToken } from './not-supported.ts'

const intent = object({
  userId: uuid,
  userPhoneNumber: phoneNumberOrNone,
  verificationToken: optional(verificationToken),
})

/** Empty text removes the number. */
export const updateUserPhoneNumber = defineActivity({
  operation: 'update_user_phone_number',
  summary: 'Change or remove the phone number of a user',
  forms: form('ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER', intent, {
    key: 'updateUserPhoneNumberResult',
    shape: object({ userId: uuid }),
  }),
  resource: 'USER',
  action: 'UPDATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [...memberFailures, invalidPhoneNumber, notSupported],
  example: {
    intent: { userId: '0198c5a0-7d3c-7000-8000-000000000002', userPhoneNumber: '+15551234567' },
    result: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
  },
  validate: (wanted) => refuseVerificationToken(wanted),

  execute({ intent: { userId, userPhoneNumber }, charter, now }) {
    const changed = changedUser(knownUser(charter, userId), { userPhoneNumber })
    return { result: { userId }, charter: withUsers(charter, [changed], now) }
  },
})
