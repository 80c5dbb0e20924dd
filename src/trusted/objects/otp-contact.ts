import { hash } from 'node:crypto'
import type { Secret } from '../base/secret.ts'
import type { Ms } from '../base/world.ts'
import {
  defineKind,
  objectsById,
  objectsFound,
  type ObjectsNeed,
  type Opened,
  place,
  type Placed,
} from '../catalogue/objects.ts'
import { oneTimeCode } from '../crypto/one-time-code.ts'
import { type OtpType, sameContact } from './contact-type.ts'

/**
 * The codes of one contact that have been sent and have not expired. The row does not hold the codes: each is derived
 * from the sealed secret of the row and its id. The row gets a new secret as soon as no code of the old one is left.
 */
export type OtpContact = {
  readonly otpType: OtpType
  readonly contact: string
  readonly codes: readonly OtpCode[]
  /** The latest wrong tries, including those of expired codes; absent for none. */
  readonly wrongTries?: readonly WrongTry[]
}

type WrongTry = Asked & { readonly at: Ms }

/** The hash of the `userIdentifier` for which a code was requested; absent where the request has none. */
type Asked = { readonly asker?: string }

export type OtpCode = Asked & {
  readonly otpId: string
  /** In the spelling to which the code was sent. */
  readonly contact: string
  readonly createdAt: Ms
  readonly expiresAt: Ms
  /** Zero means locked. A locked code still counts until it expires, so that many codes do not speed up guessing. */
  readonly triesLeft: number
  readonly length: number
  readonly alphanumeric: boolean
  readonly use: OtpUse
}

/** The purpose of the code, and the form in which it must be returned. */
export type OtpUse =
  | { readonly kind: 'verification'; readonly form: 'plain' | 'encrypted' }
  | { readonly kind: 'credential'; readonly userId: string }

export const TRIES = 3
/**
 * For one asker, and for all. An asker that sends codes to a foreign contact leaves its owner two thirds of the codes.
 */
export const ACTIVE_CODES_MAX = { ofAsker: 3, ofContact: 9 }
/** Within the longest lifetime of a code, so that short-lived codes do not help guessing. */
export const WRONG_TRIES_MAX = { ofAsker: 9, ofContact: 27 }
const WRONG_TRIES_WINDOW_MS: Ms = 600_000

export const otpContacts = defineKind<OtpContact>({
  kind: 'otp_contact',
  entries: ({ codes }) => codes.map(({ otpId }) => ({ kind: 'OTP', value: otpId })),
  guardedBy: 'row',
  expiresAt: ({ codes, wrongTries = [] }) =>
    Math.max(
      0,
      ...codes.map(({ expiresAt }) => expiresAt),
      ...wrongTries.map(({ at }) => at + WRONG_TRIES_WINDOW_MS),
    ),
})

export function codesOfContact(type: OtpType, contact: string): ObjectsNeed<OtpContact> {
  return objectsById(otpContacts, [idOf(type, contact)])
}

export function contactOfCode(otpId: string): ObjectsNeed<OtpContact> {
  return objectsFound(otpContacts, [{ kind: 'OTP', value: otpId }])
}

/** The row of a contact with these codes and wrong tries. */
export function placeCodes(
  { otpType, contact }: Pick<OtpContact, 'otpType' | 'contact'>,
  { codes, wrongTries }: Required<Pick<OtpContact, 'codes' | 'wrongTries'>>,
  secret: Secret,
): Placed {
  const body = { otpType, contact: sameContact(otpType, contact), codes, wrongTries }
  return place(otpContacts, idOf(otpType, contact), body, secret)
}

/** The code that was sent. */
export function codeOf(secret: Secret, { otpId, length, alphanumeric }: Omit<OtpCode, 'use'>): string {
  return oneTimeCode({ secret: secret.reveal(), otpId, length, alphanumeric })
}

export function unexpired(row: Opened<OtpContact> | undefined, now: Ms): readonly OtpCode[] {
  return row?.body.codes.filter(({ expiresAt }) => expiresAt > now) ?? []
}

/** The wrong tries that still count. */
export function recentWrongTries(row: Opened<OtpContact> | undefined, now: Ms): readonly WrongTry[] {
  return row?.body.wrongTries?.filter(({ at }) => at > now - WRONG_TRIES_WINDOW_MS) ?? []
}

/** Whether this asker may have one more. */
export function isBelow(
  max: { readonly ofAsker: number; readonly ofContact: number },
  these: readonly Asked[],
  asker: string | undefined,
): boolean {
  return these.length < max.ofContact && these.filter((asked) => asked.asker === asker).length < max.ofAsker
}

/** Hashed, for a fixed length and characters that every store accepts. */
function idOf(type: OtpType, contact: string): string {
  return hash('sha256', JSON.stringify([type, sameContact(type, contact)]), 'hex')
}
