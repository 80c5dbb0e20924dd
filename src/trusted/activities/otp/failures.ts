import { defineFailure, INVALID_ARGUMENT, NOT_FOUND } from '../../base/failure.ts'
import { shown } from '../../catalogue/shape.ts'

/**
 * One answer for every invalid code: wrong, expired, used, locked, or with an unknown id, so that guessing reveals
 * nothing else. Published clients match on the text.
 */
export const invalidOtpCode = defineFailure({
  kind: 'invalidOtpCode',
  code: INVALID_ARGUMENT,
  say: () => 'invalid OTP code',
})

/** For mixed versions in one attempt; thrown for a live code, before the code is compared. */
export const otpVersionsMixed = defineFailure<{ readonly wanted: 'otpCode' | 'encryptedOtpBundle' }>({
  kind: 'otpVersionsMixed',
  code: INVALID_ARGUMENT,
  say: ({ wanted }) =>
    `invalid OTP request: this OTP was initiated with a version whose code must be verified with ${wanted}, and versions cannot be mixed`,
})

export const contactNotFound = defineFailure<{ readonly contact: string; readonly organizationId: string }>({
  kind: 'contactNotFound',
  code: NOT_FOUND,
  say: ({ contact, organizationId }) =>
    `unable to find one user with contact ${shown(contact)} in organization ${organizationId}`,
})
