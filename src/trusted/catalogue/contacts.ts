import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'
import { type JsonSchema, type Shape, shown, text } from './shape.ts'

export const invalidEmail = defineFailure<{ readonly email: string }>({
  kind: 'invalidEmail',
  code: INVALID_ARGUMENT,
  errorCode: 'INVALID_EMAIL',
  say: ({ email }) => `invalid email address: ${shown(email)}`,
})

export const invalidPhoneNumber = defineFailure<{ readonly phoneNumber: string }>({
  kind: 'invalidPhoneNumber',
  code: INVALID_ARGUMENT,
  say: ({ phoneNumber }) =>
    `invalid phone number: ${shown(phoneNumber)} is not a plus sign and 2 to 15 digits (E.164)`,
})

/** An address in ASCII, as people have them: RFC 5321 without quoted local parts, comments and address literals. */
export const email: Shape<string> = contact({
  isValid: isEmail,
  refusal: (value) => invalidEmail({ email: value }),
  max: 254, // RFC 5321, 4.5.3.1.3: a path of 256 octets with its angle brackets
  schema: { format: 'email' },
})

const E164 = /^\+[1-9][0-9]{1,14}$/

/** ITU-T E.164 with the plus sign: `+15551234567`. */
export const phoneNumber: Shape<string> = contact({
  isValid: (value) => E164.test(value),
  refusal: (value) => invalidPhoneNumber({ phoneNumber: value }),
  max: 16,
  schema: { format: 'phone', pattern: E164.source },
})

/** An address, or empty text for none. */
export const emailOrNone: Shape<string> = orEmpty(email)

/** A number, or empty text for none. */
export const phoneNumberOrNone: Shape<string> = orEmpty(phoneNumber)

/** The contacts as a user has them: empty text counts as absent. */
export function contactsOf(given: { readonly userEmail?: string; readonly userPhoneNumber?: string }): {
  readonly userEmail?: string
  readonly userPhoneNumber?: string
} {
  const { userEmail = '', userPhoneNumber = '' } = given
  return {
    ...(userEmail === '' ? {} : { userEmail }),
    ...(userPhoneNumber === '' ? {} : { userPhoneNumber }),
  }
}

const ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const DOMAIN_LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/
const TOP_LEVEL = /^([A-Za-z]{2,63}|xn--[A-Za-z0-9-]{1,58}[A-Za-z0-9])$/
const LOCAL_PART_MAX = 64 // RFC 5321, 4.5.3.1.1

function isEmail(value: string): boolean {
  const at = value.lastIndexOf('@')
  const local = value.slice(0, Math.max(at, 0))
  const labels = value.slice(at + 1).split('.')
  return (
    local.length <= LOCAL_PART_MAX &&
    ATOM.test(local) &&
    labels.length >= 2 &&
    labels.every((label) => DOMAIN_LABEL.test(label)) &&
    TOP_LEVEL.test(labels[labels.length - 1] ?? '')
  )
}

function contact(rule: {
  readonly isValid: (value: string) => boolean
  readonly refusal: (value: string) => Error
  readonly max: number
  readonly schema: JsonSchema
}): Shape<string> {
  const any = text({ max: 1024 })
  return {
    read: (value, at, reading) => {
      const given = any.read(value, at, reading)
      if (given.length > rule.max || !rule.isValid(given)) throw rule.refusal(given)
      return given
    },
    schema: { type: 'string', maxLength: rule.max, ...rule.schema },
  }
}

function orEmpty(shape: Shape<string>): Shape<string> {
  return {
    read: (value, at, reading) => (value === '' ? '' : shape.read(value, at, reading)),
    schema: { anyOf: [shape.schema, { type: 'string', maxLength: 0 }] },
  }
}
