import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, optional, uuid } from '../../catalogue/shape.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import { changedUser } from './changed-user.ts'
import { phoneNumberOrNone, invalidPhoneNumber } from '../../catalogue/contacts.ts'
import {
  presentedProof,
  proofOfContactFailures,
  proofUse,
  verificationTokenOrNone,
  withProof,
} from './proof-of-contact.ts'

const intent = object({
  userId: uuid,
  userPhoneNumber: phoneNumberOrNone,
  verificationToken: optional(verificationTokenOrNone),
})

/** Stored as proven with the token of a one-time code that was sent there, and unproven without. Empty text removes the number. */
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
  fails: [...memberFailures, invalidPhoneNumber, ...proofOfContactFailures],
  example: {
    intent: { userId: '0198c5a0-7d3c-7000-8000-000000000002', userPhoneNumber: '+15551234567' },
    result: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
  },
  needs: ({ verificationToken }) => ({ uses: proofUse(verificationToken) }),
  verify: async ({ verificationToken }, means) => await presentedProof(verificationToken, means),

  execute({ intent: wanted, charter, rows, verified: token, now, randomBytes }) {
    const { userId, userPhoneNumber } = wanted
    const changed = changedUser(knownUser(charter, userId), { userPhoneNumber })
    const contact = { verificationType: 'OTP_TYPE_SMS', contact: userPhoneNumber }
    const proof = { token, contact, found: rows.uses, randomBytes }
    const { user, put } = withProof(changed, proof)
    return { result: { userId }, charter: withUsers(charter, [user], now), put }
  },
})
