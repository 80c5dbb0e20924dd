import { emailOrNone, invalidEmail } from '../../catalogue/contacts.ts'
import { contactUpdate } from './contact-update.ts'

export const updateUserEmail = contactUpdate({
  operation: 'update_user_email',
  summary: 'Change or remove the e-mail address of a user',
  type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
  resultKey: 'updateUserEmailResult',
  contact: 'userEmail',
  shape: emailOrNone,
  invalid: invalidEmail,
  verificationType: 'OTP_TYPE_EMAIL',
  example: 'ada@example.com',
})
