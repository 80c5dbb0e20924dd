import { lowerAscii } from '../base/lower-ascii.ts'
import type { OauthProvider, User, WalletAuthenticator } from './charter.ts'

/**
 * The contact or wallet that a verification token says was proven: by a one-time code, an `OTP_TYPE_…` and the address
 * or number that it was sent to; by the signature of a wallet, a `WALLET_AUTHENTICATOR_TYPE_…`, its address, and the
 * domain that it signed for.
 */
export type ProvenContact = {
  readonly verificationType: string
  readonly contact: string
  readonly wallet?: { readonly domain: string }
}

export type OidcIdentity = { readonly issuer: string; readonly audience: string; readonly subject: string }

/**
 * The user who has the contact or wallet; undefined when nobody has it, and when several users do, because a choice
 * would be a guess.
 */
export function holderOfContact(users: readonly User[], proven: ProvenContact): User | undefined {
  const holders = users.filter((user) => isContactOf(user, proven) || walletOf(user, proven) !== undefined)
  return holders.length === 1 ? holders[0] : undefined
}

/** E-mail addresses are compared without regard to case. */
export function isSameEmail(item: string, other: string): boolean {
  return lowerAscii(item) === lowerAscii(other)
}

export function isContactOf(
  user: Pick<User, 'userEmail' | 'userPhoneNumber'>,
  proven: ProvenContact,
): boolean {
  const { verificationType, contact, wallet } = proven
  if (wallet !== undefined) return false
  return verificationType === 'OTP_TYPE_EMAIL'
    ? user.userEmail !== undefined && isSameEmail(user.userEmail, contact)
    : user.userPhoneNumber === contact
}

/** The wallet of the user that a token speaks of. */
export function walletOf(
  { walletAuthenticators }: Pick<User, 'walletAuthenticators'>,
  { verificationType, contact, wallet }: ProvenContact,
): WalletAuthenticator | undefined {
  return walletAuthenticators.find(
    ({ type, address, domain }) =>
      type === verificationType && address === contact && domain === wallet?.domain,
  )
}

/** The user with this contact or wallet marked as proven, where it is theirs. */
export function withProvenContact(user: User, proven: ProvenContact): User {
  if (proven.wallet !== undefined) return withProvenWallet(user, walletOf(user, proven))
  if (!isContactOf(user, proven)) return user
  return proven.verificationType === 'OTP_TYPE_EMAIL'
    ? { ...user, emailVerified: true }
    : { ...user, phoneNumberVerified: true }
}

function withProvenWallet(user: User, wallet: WalletAuthenticator | undefined): User {
  return {
    ...user,
    walletAuthenticators: user.walletAuthenticators.map((walletAuthenticator) =>
      walletAuthenticator === wallet ? { ...wallet, proven: true } : walletAuthenticator,
    ),
  }
}

type IdentityHolder = { readonly user: User; readonly provider: OauthProvider }

/** The user who has registered this identity elsewhere; at most one user of an organization has it. */
export function holderOfIdentity(
  users: readonly User[],
  { issuer, audience, subject }: OidcIdentity,
): IdentityHolder | undefined {
  for (const user of users) {
    const provider = user.oauthProviders.find(
      (oauthProvider) =>
        oauthProvider.issuer === issuer &&
        oauthProvider.audience === audience &&
        oauthProvider.subject === subject,
    )
    if (provider !== undefined) return { user, provider }
  }
  return undefined
}

/** The user with this account elsewhere marked as proven, so that its holder can be found by it. */
export function withProvenAccount(user: User, providerId: string): User {
  const isOnlyClaimed = user.oauthProviders.some(
    (oauthProvider) => oauthProvider.providerId === providerId && oauthProvider.isClaimed === true,
  )
  if (!isOnlyClaimed) return user
  return {
    ...user,
    oauthProviders: user.oauthProviders.map((oauthProvider) => {
      const { isClaimed: _, ...proven } = oauthProvider
      return oauthProvider.providerId === providerId ? proven : oauthProvider
    }),
  }
}
