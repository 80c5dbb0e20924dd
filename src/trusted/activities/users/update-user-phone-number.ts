import { invalidPhoneNumber, phoneNumberOrNone } from '../../catalogue/contacts.ts'
import { contactUpdate } from './contact-update.ts'

export const updateUserPhoneNumber = contactUpdate({
  operation: 'update_user_phone_number',
  summary: 'Change or remove the phone number of a user',
  type: 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
  resultKey: 'updateUserPhoneNumberResult',
  contact: 'userPhoneNumber',
  shape: phoneNumberOrNone,
  invalid: invalidPhoneNumber,
  verificationType: 'OTP_TYPE_SMS',
  example: '+15551234567',
})
