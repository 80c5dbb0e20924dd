import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, optional, uuid } from '../../catalogue/shape.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import { changedUser } from './changed-user.ts'
import { emailOrNone, invalidEmail } from '../../catalogue/contacts.ts'
import {
  presentedProof,
  proofOfContactFailures,
  proofUse,
  verificationTokenOrNone,
  withProof,
} from './proof-of-contact.ts'

const intent = object({
  userId: uuid,
  userEmail: emailOrNone,
  verificationToken: optional(verificationTokenOrNone),
})

/** Stored as proven with the token of a one-time code that was sent there, and unproven without. Empty text removes the address. */
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
  fails: [...memberFailures, invalidEmail, ...proofOfContactFailures],
  example: {
    intent: { userId: '0198c5a0-7d3c-7000-8000-000000000002', userEmail: 'ada@example.com' },
    result: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
  },
  needs: ({ verificationToken }) => ({ uses: proofUse(verificationToken) }),
  verify: async ({ verificationToken }, means) => await presentedProof(verificationToken, means),

  execute({ intent: wanted, charter, rows, verified: token, now, randomBytes }) {
    const { userId, userEmail } = wanted
    const changed = changedUser(knownUser(charter, userId), { userEmail })
    const contact = { verificationType: 'OTP_TYPE_EMAIL', contact: userEmail }
    const proof = { token, contact, found: rows.uses, randomBytes }
    const { user, put } = withProof(changed, proof)
    return { result: { userId }, charter: withUsers(charter, [user], now), put }
  },
})
