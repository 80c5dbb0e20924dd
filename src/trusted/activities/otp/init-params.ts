import { boolean, int32, object, optional, refined, text, type TypeOf } from '../../catalogue/shape.ts'
import {
  appName,
  emailCustomizationOf,
  emailCustomizationParams,
  emailCustomizationParamsV2,
  senderParams,
  smsCustomizationParams,
} from '../messages/customization.ts'
import { checkContact, otpType } from '../../objects/contact-type.ts'
import { secondsText } from './seconds.ts'

const LENGTHS = { min: 6, max: 9 }
const CODE_SECONDS_MAX = 600

const to = { otpType, contact: text({ min: 1, max: 320 }) }
const alike = {
  smsCustomization: optional(smsCustomizationParams),
  userIdentifier: optional(text({ max: 1_024 })),
  ...senderParams,
}
const code = {
  otpLength: optional(
    refined(int32, {
      problem: (length) =>
        length >= LENGTHS.min && length <= LENGTHS.max
          ? undefined
          : `must be from ${LENGTHS.min} to ${LENGTHS.max}, not ${length}`,
      schema: { minimum: LENGTHS.min, maximum: LENGTHS.max },
    }),
  ),
  alphanumeric: optional(boolean),
}
const expirationSeconds = optional(secondsText(CODE_SECONDS_MAX))
const unnamed = { emailCustomization: optional(emailCustomizationParams) }
const named = { appName, emailCustomization: optional(emailCustomizationParamsV2) }

export const initOtpV1 = object({ ...to, ...code, ...unnamed, ...alike, expirationSeconds })
export const initOtpV3 = object({ ...to, ...code, ...named, ...alike, expirationSeconds })

export const initOtpAuthV1 = object({ ...to, ...unnamed, ...alike })
export const initOtpAuthV2 = object({ ...to, ...code, ...unnamed, ...alike })

/** The fields of the newest versions; in older ones the name is optional. */
export type CodeRequest = Omit<TypeOf<typeof initOtpV3>, 'appName'> & { readonly appName?: string }

/** In the older versions the name was part of the customization of mails. */
export function namedBeside<T extends TypeOf<typeof initOtpAuthV1>>(
  older: T,
): Omit<T, 'emailCustomization'> & Pick<CodeRequest, 'appName' | 'emailCustomization'> {
  const { emailCustomization, ...rest } = older
  if (emailCustomization === undefined) return rest
  const { appName: name, ...looks } = emailCustomization
  return {
    ...rest,
    emailCustomization: looks,
    ...(name === undefined || name === '' ? {} : { appName: name }),
  }
}

/** Checks the request without looking at stored data. */
export function checkCodeRequest({ otpType: type, contact, emailCustomization }: CodeRequest): void {
  checkContact(type, contact)
  emailCustomizationOf(emailCustomization)
}
