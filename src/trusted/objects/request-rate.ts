import { hash } from 'node:crypto'
import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'
import { Secret } from '../base/secret.ts'
import type { Ms } from '../base/world.ts'
import {
  defineKind,
  objectsById,
  type ObjectsNeed,
  type Opened,
  place,
  type Placed,
} from '../catalogue/objects.ts'

/** Published clients match on the text and the error code. */
export const maxOtpInitiated = defineFailure({
  kind: 'maxOtpInitiated',
  code: INVALID_ARGUMENT,
  errorCode: 'MAX_OTP_INITIATED',
  say: () => 'Max number of OTPs have been initiated please wait and try again',
})

/** The times of the latest requests for codes for one user of the caller. */
export type OtpRequests = { readonly initiatedAt: readonly Ms[] }

const REQUESTS_MAX = 3
const WINDOW_MS = 180_000

export const otpRequests = defineKind<OtpRequests>({
  kind: 'otp_requests',
  guardedBy: 'row',
  expiresAt: ({ initiatedAt }) => Math.max(0, ...initiatedAt) + WINDOW_MS,
})

/** The rate is limited only where the request has a `userIdentifier`. */
export function requestsOf(userIdentifier: string | undefined): ObjectsNeed<OtpRequests> {
  const id = askerOf(userIdentifier)
  return objectsById(otpRequests, id === undefined ? [] : [id])
}

/**
 * Counts one request more.
 *
 * @param found  the rows brought for `requestsOf`
 * @throws       Failure `maxOtpInitiated`, for the fourth within three minutes
 */
export function countRequest(
  found: readonly Opened<OtpRequests>[],
  asked: {
    readonly userIdentifier: string | undefined
    readonly now: Ms
    readonly randomBytes: (length: number) => Uint8Array
  },
): readonly Placed[] {
  const { userIdentifier, now, randomBytes } = asked
  const id = askerOf(userIdentifier)
  if (id === undefined) return []
  const recent = found.flatMap(({ body }) => body.initiatedAt).filter((at) => at > now - WINDOW_MS)
  if (recent.length >= REQUESTS_MAX) throw maxOtpInitiated()
  // Every row seals a secret; this one is random and unused.
  return [place(otpRequests, id, { initiatedAt: [...recent, now] }, new Secret(randomBytes(32)))]
}

/** The user for whom a caller asks, as rows name them; undefined where the request names none. */
export function askerOf(userIdentifier: string | undefined): string | undefined {
  return userIdentifier === undefined || userIdentifier === ''
    ? undefined
    : hash('sha256', userIdentifier, 'hex')
}
