import { defineActivity } from '../../catalogue/activity.ts'
import { emailOrNone, invalidEmail } from '../../catalogue/contacts.ts'
import { form } from '../../catalogue/form.ts'
import { object } from '../../catalogue/shape.ts'
import {
  contactUpdate,
  contactUpdateFailures,
  contactUpdateParams,
  contactUpdateResult,
  updatedContact,
} from './contact-update.ts'
import { presentedProof, proofUse } from './proof-of-contact.ts'

const { userId, verificationToken } = contactUpdateParams
const intent = object({ userId, userEmail: emailOrNone, verificationToken })

export const updateUserEmail = defineActivity({
  operation: 'update_user_email',
  summary: 'Change or remove the e-mail address of a user',
  forms: form('ACTIVITY_TYPE_UPDATE_USER_EMAIL', intent, {
    key: 'updateUserEmailResult',
    shape: contactUpdateResult,
  }),
  ...contactUpdate,
  fails: [...contactUpdateFailures, invalidEmail],
  example: {
    intent: { userId: '0198c5a0-7d3c-7000-8000-000000000002', userEmail: 'ada@example.com' },
    result: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
  },
  needs: ({ verificationToken: token }) => ({ uses: proofUse(token) }),
  verify: async ({ verificationToken: token }, means) => await presentedProof(token, means),

  execute({ intent: { userId, userEmail }, ...execution }) {
    return updatedContact(userId, { userEmail }, 'OTP_TYPE_EMAIL', execution)
  },
})
