import { defineActivity } from '../../catalogue/activity.ts'
import { invalidPhoneNumber, phoneNumberOrNone } from '../../catalogue/contacts.ts'
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
const intent = object({ userId, userPhoneNumber: phoneNumberOrNone, verificationToken })

export const updateUserPhoneNumber = defineActivity({
  operation: 'update_user_phone_number',
  summary: 'Change or remove the phone number of a user',
  forms: form('ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER', intent, {
    key: 'updateUserPhoneNumberResult',
    shape: contactUpdateResult,
  }),
  ...contactUpdate,
  fails: [...contactUpdateFailures, invalidPhoneNumber],
  example: {
    intent: { userId: '0198c5a0-7d3c-7000-8000-000000000002', userPhoneNumber: '+15551234567' },
    result: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
  },
  needs: ({ verificationToken: token }) => ({ uses: proofUse(token) }),
  verify: async ({ verificationToken: token }, means) => await presentedProof(token, means),

  execute({ intent: { userId, userPhoneNumber }, ...execution }) {
    return updatedContact(userId, { userPhoneNumber }, 'OTP_TYPE_SMS', execution)
  },
})
