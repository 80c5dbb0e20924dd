import { Failure } from '../../base/failure.ts'
import type { User } from '../../charter/charter.ts'
import { isSameEmail } from '../../charter/holders.ts'
import type { IdentityToken } from '../../catalogue/identity-tokens.ts'
import { email as emailShape } from '../../catalogue/contacts.ts'

/** The one issuer whose word for an address is taken: it runs the mailboxes, or checks them. */
export const GOOGLE = 'https://accounts.google.com'

/**
 * @returns  undefined for a token of anyone else or of anyone else's application, and for an address that Google does not vouch
 *           for or nobody could register
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

/** The user who has proven this address before; they are one person, so that Google's word opens their account. */
export function holderOfProvenEmail(users: readonly User[], email: string): User | undefined {
  const holders = users.filter((user) => hasProvenEmail(user, email))
  return holders.length === 1 ? holders[0] : undefined
}

export function hasProvenEmail({ userEmail, emailVerified }: User, email: string): boolean {
  return emailVerified && userEmail !== undefined && isSameEmail(userEmail, email)
}

/**
 * The user with an address that Google vouches for as theirs: it becomes their address where they have none, and is proven
 * where it is theirs already. Another address stays as it is: a login that is added takes none away.
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
