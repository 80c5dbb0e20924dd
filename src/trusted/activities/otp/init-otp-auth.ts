import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, type Shape, uuid } from '../../catalogue/shape.ts'
import { featureDisabled } from '../../charter/features.ts'
import { holderOfContact } from '../../charter/holders.ts'
import { int } from '../../policy/types.ts'
import { customizationFailures } from '../messages/customization.ts'
import { invalidEmail, invalidPhoneNumber } from '../../catalogue/contacts.ts'
import { chartersAsked } from '../sessions/charters-asked.ts'
import { requireOtpFeature } from '../../objects/contact-type.ts'
import { contactNotFound } from './failures.ts'
import {
  checkCodeRequest,
  type CodeRequest,
  initOtpAuthV1,
  initOtpAuthV2,
  initOtpV3,
  namedBeside,
} from './init-params.ts'
import { issueCode, OTP_LENGTH_DEFAULT } from './issue-code.ts'
import { codesOfContact } from '../../objects/otp-contact.ts'
import { maxOtpInitiated, requestsOf } from '../../objects/request-rate.ts'

const issued = object({ otpId: uuid })
const newest: Shape<CodeRequest> = initOtpV3

export const initOtpAuth = defineActivity({
  operation: 'init_otp_auth',
  summary: 'Send a one-time code to a user, who exchanges it for a credential bundle',
  forms: form('ACTIVITY_TYPE_INIT_OTP_AUTH', initOtpAuthV1, { key: 'initOtpAuthResult', shape: issued })
    .next('ACTIVITY_TYPE_INIT_OTP_AUTH_V2', initOtpAuthV2, {
      up: (older) => older,
      result: { key: 'initOtpAuthResultV2', shape: issued, down: (newer) => newer },
    })
    .next('ACTIVITY_TYPE_INIT_OTP_AUTH_V3', newest, { up: namedBeside }),
  resource: 'AUTH',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: false,
  logsIn: true,
  personal: { of: 'contact' },
  parentMay: true,
  looksAtParent: true,
  writesTo: ({ contact, userIdentifier: asker }) => ({ contacts: [contact], asker }),
  fails: [
    invalidEmail,
    invalidPhoneNumber,
    featureDisabled,
    contactNotFound,
    maxOtpInitiated,
    ...customizationFailures,
  ],
  example: {
    intent: {
      otpType: 'OTP_TYPE_SMS',
      contact: '+15551234567',
      appName: 'Example Wallet',
      otpLength: 6,
      alphanumeric: false,
      smsCustomization: { template: 'Example Wallet: your code is {{.OtpCode}}' },
    },
    result: { otpId: '0198c5a0-7d3c-7000-8000-000000000001' },
  },
  params: {
    types: { otp_length: int },
    of: ({ otpLength = OTP_LENGTH_DEFAULT }) => ({ otp_length: BigInt(otpLength) }),
  },
  validate: (intent) => checkCodeRequest(intent),
  needs: ({ otpType, contact, userIdentifier }) => ({
    contact: codesOfContact(otpType, contact),
    requests: requestsOf(userIdentifier),
  }),

  execute({ intent: request, charter, parent, rows, requester, now, newId, randomBytes }) {
    const { otpType, contact } = request
    const { organizationId } = charter
    requireOtpFeature(otpType, chartersAsked({ charter, parent, requester }))
    const user = holderOfContact(charter.users, { verificationType: otpType, contact })
    if (user === undefined) throw contactNotFound({ contact, organizationId })
    const use = { kind: 'credential', userId: user.userId } as const
    const { otpId, put, messages } = issueCode({ request, use, charter, rows, now, newId, randomBytes })
    return { result: { otpId }, put, messages }
  },
})
