import { lowerAscii } from '../base/lower-ascii.ts'
import type { OauthProvider, User } from './charter.ts'

/** What a one-time code has proven: an `OTP_TYPE_…` and the address or number that it was sent to. */
export type ProvenContact = { readonly verificationType: string; readonly contact: string }

export type OidcIdentity = { readonly issuer: string; readonly audience: string; readonly subject: string }

/** Whose contact it is; undefined when it is nobody's, and when it is that of several, because whose is meant would be a guess. */
export function holderOfContact(users: readonly User[], proven: ProvenContact): User | undefined {
  const holders = users.filter((user) => isContactOf(user, proven))
  return holders.length === 1 ? holders[0] : undefined
}

/** E-mail addresses are one whatever the case of their letters. */
export function isSameEmail(one: string, other: string): boolean {
  return lowerAscii(one) === lowerAscii(other)
}

export function isContactOf(
  user: Pick<User, 'userEmail' | 'userPhoneNumber'>,
  { verificationType, contact }: ProvenContact,
): boolean {
  return verificationType === 'OTP_TYPE_EMAIL'
    ? user.userEmail !== undefined && isSameEmail(user.userEmail, contact)
    : user.userPhoneNumber === contact
}

/** The user with this contact marked as proven, where it is theirs. */
export function withProvenContact(user: User, proven: ProvenContact): User {
  if (!isContactOf(user, proven)) return user
  return proven.verificationType === 'OTP_TYPE_EMAIL'
    ? { ...user, emailVerified: true }
    : { ...user, phoneNumberVerified: true }
}

export type IdentityHolder = { readonly user: User; readonly provider: OauthProvider }

/** Who has registered this identity elsewhere; it belongs to one user of an organization at most. */
export function holderOfIdentity(
  users: readonly User[],
  { issuer, audience, subject }: OidcIdentity,
): IdentityHolder | undefined {
  for (const user of users) {
    const provider = user.oauthProviders.find(
      (one) => one.issuer === issuer && one.audience === audience && one.subject === subject,
    )
    if (provider !== undefined) return { user, provider }
  }
  return undefined
}
