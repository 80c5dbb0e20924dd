import { lowerAscii } from '../base/lower-ascii.ts'
import { oneOf } from '../catalogue/shape.ts'
import type { Charter } from '../charter/charter.ts'
import { type FeatureName, requireFeature } from '../charter/features.ts'
import { email, phoneNumber } from '../catalogue/contacts.ts'

/** The published list also names `OTP_TYPE_WHATSAPP`; no published service accepts it, and this one refuses it too. */
const OTP_TYPES = ['OTP_TYPE_EMAIL', 'OTP_TYPE_SMS'] as const
export type OtpType = (typeof OTP_TYPES)[number]

export const otpType = oneOf(OTP_TYPES)

const FEATURES: Readonly<Record<OtpType, FeatureName>> = {
  OTP_TYPE_EMAIL: 'FEATURE_NAME_OTP_EMAIL_AUTH',
  OTP_TYPE_SMS: 'FEATURE_NAME_SMS_AUTH',
}

/** Refuses a text that is not an address or a number of this type. */
export function checkContact(type: OtpType, contact: string): void {
  const shape = type === 'OTP_TYPE_EMAIL' ? email : phoneNumber
  shape.read(contact, 'contact', 'strict')
}

/** E-mail addresses are compared without regard to case. */
export function sameContact(type: OtpType, contact: string): string {
  return type === 'OTP_TYPE_EMAIL' ? lowerAscii(contact) : contact
}

/** Refuses codes of this type unless all of these organizations have enabled them. */
export function requireOtpFeature(type: OtpType, charters: readonly (Charter | undefined)[]): void {
  requireFeature(FEATURES[type], charters)
}

export function isOtpType(type: string): type is OtpType {
  return OTP_TYPES.some((item) => item === type)
}
