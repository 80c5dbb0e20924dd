import { Failure } from '../../base/failure.ts'
import type { User } from '../../charter/charter.ts'
import { isSameEmail } from '../../charter/holders.ts'
import type { IdentityToken } from '../../catalogue/identity-tokens.ts'
import { email as emailShape } from '../../catalogue/contacts.ts'

/** The only issuer whose verified e-mail addresses are trusted: it runs the mailboxes, or checks them. */
export const GOOGLE = 'https://accounts.google.com'

/**
 * @returns  undefined for a token of another issuer or another application, and for an address that Google has not
 *           verified or that is invalid here
 */
export function provenGoogleEmail({
  isOwn,
  issuer,
  email,
  emailVerified,
}: IdentityToken): string | undefined {
  if (!isOwn || issuer !== GOOGLE || emailVerified !== true || email === undefined) return undefined
  return isEmail(email) ? email : undefined
}

/**
 * The user who has verified this address before: the same person, so a Google token for the address opens the account.
 */
export function holderOfProvenEmail(users: readonly User[], email: string): User | undefined {
  const holders = users.filter((user) => hasProvenEmail(user, email))
  return holders.length === 1 ? holders[0] : undefined
}

export function hasProvenEmail({ userEmail, emailVerified }: User, email: string): boolean {
  return emailVerified && userEmail !== undefined && isSameEmail(userEmail, email)
}

/**
 * The user with an address verified by Google: it becomes the address of a user without one, and is marked as verified
 * where it is already the user's. Another address stays unchanged.
 */
export function withGoogleEmail(user: User, email: string | undefined): User {
  if (email === undefined) return user
  const isOther = user.userEmail !== undefined && !isSameEmail(user.userEmail, email)
  return isOther ? user : { ...user, userEmail: user.userEmail ?? email, emailVerified: true }
}

function isEmail(text: string): boolean {
  try {
    emailShape.read(text, 'email', 'strict')
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
