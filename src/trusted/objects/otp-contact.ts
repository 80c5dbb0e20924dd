import { hash } from 'node:crypto'
import { Bug } from '../base/assert.ts'
import type { Secret } from '../base/secret.ts'
import type { Ms } from '../base/world.ts'
import {
  type ObjectKind,
  type ObjectsNeed,
  objectsById,
  objectsFound,
  type Opened,
  type Placed,
  place,
} from '../catalogue/objects.ts'
import { oneTimeCode } from '../crypto/one-time-code.ts'
import { type OtpType, sameContact } from './contact-type.ts'

/**
 * The codes of one contact that have been sent and have not expired. They are not in here: each is derived from the sealed
 * secret of the row and its id. The secret is a new one as soon as no code of the old one is left.
 */
export type OtpContact = {
  readonly otpType: OtpType
  readonly contact: string
  readonly codes: readonly OtpCode[]
  /** The latest, also of codes that are gone; absent for none. */
  readonly wrongTries?: readonly WrongTry[]
}

type WrongTry = Asked & { readonly at: Ms }

/** In whose name a code was asked for: the hash of a `userIdentifier`, absent where the caller named nobody. */
type Asked = { readonly asker?: string }

export type OtpCode = Asked & {
  readonly otpId: string
  /** As it was sent to, in its own spelling. */
  readonly contact: string
  readonly createdAt: Ms
  readonly expiresAt: Ms
  /** Zero: locked. It keeps its place until it expires, so that guessing is no quicker with many codes. */
  readonly triesLeft: number
  readonly length: number
  readonly alphanumeric: boolean
  readonly use: OtpUse
}

/** What the code was sent for, and how it is to come back. */
export type OtpUse =
  | { readonly kind: 'verification'; readonly form: 'plain' | 'encrypted' | 'either' }
  | { readonly kind: 'credential'; readonly userId: string }

export const TRIES = 3
/** Of one asker, and of all. An asker who has codes sent to a foreign contact leaves its owner two thirds of them. */
export const ACTIVE_CODES_MAX = { ofAsker: 3, ofContact: 9 }
/** Within the longest time that a code may last, so that codes of a second are no better to guess with. */
export const WRONG_TRIES_MAX = { ofAsker: 9, ofContact: 27 }
const WRONG_TRIES_WINDOW_MS: Ms = 600_000

export const otpContacts: ObjectKind<OtpContact> = {
  kind: 'otp_contact',
  claims: () => [],
  entries: ({ codes }) => codes.map(({ otpId }) => ({ kind: 'OTP', value: otpId })),
  guardedBy: 'row',
  expiresAt: ({ codes, wrongTries = [] }) =>
    Math.max(
      0,
      ...codes.map(({ expiresAt }) => expiresAt),
      ...wrongTries.map(({ at }) => at + WRONG_TRIES_WINDOW_MS),
    ),
  // Only a body that the vault has sealed is parsed, and it sealed no other shape.
  parse: (body) => JSON.parse(body) as OtpContact,
  taken: () => {
    throw new Bug('the codes of a contact claim no name')
  },
}

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

/** What was sent for this code. */
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

/** Whether there is room for one more of this asker. */
export function isBelow(
  max: { readonly ofAsker: number; readonly ofContact: number },
  these: readonly Asked[],
  asker: string | undefined,
): boolean {
  return these.length < max.ofContact && these.filter((asked) => asked.asker === asker).length < max.ofAsker
}

/** Hashed, so that it is of one length and of characters that every store takes. */
function idOf(type: OtpType, contact: string): string {
  return hash('sha256', JSON.stringify([type, sameContact(type, contact)]), 'hex')
}
