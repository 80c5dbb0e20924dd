import { defineFailure, INVALID_ARGUMENT, NOT_FOUND } from '../../base/failure.ts'
import { shown } from '../../catalogue/shape.ts'

/**
 * The one answer for every code that does not do: wrong, expired, used, locked, or of an id that nobody was given. Whoever
 * guesses learns nothing but that. The text is matched on by published clients.
 */
export const invalidOtpCode = defineFailure({
  kind: 'invalidOtpCode',
  code: INVALID_ARGUMENT,
  say: () => 'invalid OTP code',
})

/** Of the versions of one attempt: said of a code that is good, before it is looked at. */
export const otpVersionsMixed = defineFailure<{ readonly wanted: 'otpCode' | 'encryptedOtpBundle' }>({
  kind: 'otpVersionsMixed',
  code: INVALID_ARGUMENT,
  say: ({ wanted }) =>
    `invalid OTP request: the version that initiated this OTP has its code verified as ${wanted}, and versions cannot be mixed`,
})

export const contactNotFound = defineFailure<{ readonly contact: string; readonly organizationId: string }>({
  kind: 'contactNotFound',
  code: NOT_FOUND,
  say: ({ contact, organizationId }) =>
    `unable to find one user with contact ${shown(contact)} in organization ${organizationId}`,
})
