import { present } from '../../base/assert.ts'
import { toHex } from '../../base/bytes.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, type Shape, text, uuid } from '../../catalogue/shape.ts'
import { featureDisabled } from '../../charter/features.ts'
import { otpTargetBundle } from '../../crypto/bundles.ts'
import { otpTargetSecret } from '../../crypto/one-time-code.ts'
import { p256UncompressedKeyOf, readP256Key } from '../../crypto/p256.ts'
import { customizationFailures } from '../messages/customization.ts'
import { invalidEmail, invalidPhoneNumber } from '../../catalogue/contacts.ts'
import { requireOtpFeature } from '../../objects/contact-type.ts'
import { checkCodeRequest, type CodeRequest, initOtpV1, initOtpV3, namedBeside } from './init-params.ts'
import { issueCode } from './issue-code.ts'
import { codesOfContact, type OtpUse } from '../../objects/otp-contact.ts'
import { maxOtpInitiated, requestsOf } from '../../objects/request-rate.ts'

/** With the form of verification that belongs to the older versions; the versions themselves do not state it. */
type InitOtp = CodeRequest & { readonly form?: Extract<OtpUse, { kind: 'verification' }>['form'] }

const named: Shape<InitOtp> = initOtpV3

/** It does not check whether the contact belongs to a user, so that callers learn nothing about users. */
export const initOtp = defineActivity({
  operation: 'init_otp',
  summary: 'Send a one-time code to an e-mail address or a phone number',
  forms: form('ACTIVITY_TYPE_INIT_OTP', initOtpV1, {
    key: 'initOtpResult',
    shape: object({ otpId: uuid }),
  })
    .next('ACTIVITY_TYPE_INIT_OTP_V2', named, { up: namedBeside })
    // The second version came before codes were encrypted.
    .next('ACTIVITY_TYPE_INIT_OTP_V3', named, {
      up: (older): InitOtp => ({ ...older, form: 'plain' }),
      result: {
        key: 'initOtpResultV2',
        shape: object({ otpId: uuid, otpEncryptionTargetBundle: text({ max: 4_096 }) }),
        down: ({ otpId }) => ({ otpId }),
      },
    }),
  resource: 'OTP',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: false,
  logsIn: true,
  personal: { of: 'contact' },
  writesTo: ({ contact, userIdentifier: asker }) => ({ contacts: [contact], asker }),
  fails: [invalidEmail, invalidPhoneNumber, featureDisabled, maxOtpInitiated, ...customizationFailures],
  example: {
    intent: {
      otpType: 'OTP_TYPE_EMAIL',
      contact: 'ada@example.com',
      appName: 'Example Wallet',
      otpLength: 6,
      alphanumeric: false,
      expirationSeconds: '300',
      userIdentifier: '203.0.113.7',
    },
    result: {
      otpId: '0198c5a0-7d3c-7000-8000-000000000001',
      otpEncryptionTargetBundle:
        '{"version":"v1.0.0","data":"7b22…7d","dataSignature":"3045…0a","enclaveQuorumPublic":"0402…94"}',
    },
  },
  validate: (intent) => checkCodeRequest(intent),
  needs: ({ otpType, contact, userIdentifier }) => ({
    contact: codesOfContact(otpType, contact),
    requests: requestsOf(userIdentifier),
  }),

  execute({ intent: { form: sentForm = 'encrypted', ...request }, charter, rows, service, ...means }) {
    requireOtpFeature(request.otpType, [charter])
    const use = { kind: 'verification', form: sentForm } as const
    const { otpId, secret, put, messages } = issueCode({ request, use, charter, rows, ...means })
    const targetSecret = otpTargetSecret(secret.reveal(), otpId)
    const target = present(
      readP256Key(toHex(p256UncompressedKeyOf(targetSecret))),
      'a point that was just computed',
    )
    targetSecret.fill(0)
    const bundle = otpTargetBundle(target, charter.organizationId, service.tokenBundleSigner)
    return { result: { otpId, otpEncryptionTargetBundle: bundle }, put, messages }
  },
})
