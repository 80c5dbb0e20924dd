import { readSecp256k1Key } from '../crypto/secp256k1.ts'
import type { ApiKey, Charter } from './charter.ts'

/**
 * Whether an API key says whose an organization is: it was proven there, or nobody else has ever had a way in, and its
 * holder has one for good.
 */
export function isOfHolder(charter: Charter, publicKey: string): boolean {
  const isSole = soleKeyOf(charter) === publicKey
  return charter.users.some(({ apiKeys }) =>
    apiKeys.some(
      (key) => key.publicKey === publicKey && (key.proven === true || (isSole && admitsHolder(key))),
    ),
  )
}

/**
 * A stranger who founds an organization with the key of somebody's wallet must not keep its holder from founding
 * another one. So a key that expires does not count, and neither does one of P-256 that could be that of a wallet: half
 * of all keys of secp256k1 are points of P-256 too.
 */
function admitsHolder({ type, publicKey, expirationSeconds }: ApiKey): boolean {
  const isOfWallet = type === 'CREDENTIAL_TYPE_API_KEY_P256' && readSecp256k1Key(publicKey) !== undefined
  return expirationSeconds === undefined && !isOfWallet
}

/**
 * The API key that is the only way into an organization, and has been since it was founded. A stranger who founds an
 * organization with somebody else's key gains nothing by it. A stranger who had a way in, and has left, may know the
 * mnemonic of its wallet.
 */
export function soleKeyOf({ version, users, invitations }: Charter): string | undefined {
  if (version !== FOUNDED) return undefined
  const [user, ...others] = users
  const [key, ...more] = user?.apiKeys ?? []
  if (user === undefined || others.length + more.length + invitations.length > 0) return undefined
  const { authenticators, oauthProviders, walletAuthenticators, userEmail, userPhoneNumber } = user
  const isReached = userEmail !== undefined || userPhoneNumber !== undefined
  const otherWays = authenticators.length + oauthProviders.length + walletAuthenticators.length
  return isReached || otherWays > 0 ? undefined : key?.publicKey
}

/**
 * The charter with the API key or passkey of a request marked as proven here. Anybody can register a public key; only
 * its holder can change the organization with it (docs/decisions/same-credential.md).
 */
export function withProvenCredential(
  charter: Charter,
  by: { readonly organizationId: string; readonly userId: string; readonly credentialId: string },
): Charter {
  if (by.organizationId !== charter.organizationId) return charter
  const { credentialId: id } = by
  const user = charter.users.find(({ userId }) => userId === by.userId)
  const key = user?.apiKeys.find(({ apiKeyId }) => apiKeyId === id)
  const passkey = user?.authenticators.find(({ authenticatorId }) => authenticatorId === id)
  const credential = key ?? passkey
  if (user === undefined || credential === undefined || credential.proven === true) return charter
  const proven = {
    ...user,
    apiKeys: user.apiKeys.map((apiKey) => (apiKey === key ? { ...apiKey, proven: true as const } : apiKey)),
    authenticators: user.authenticators.map((authenticator) =>
      authenticator === passkey ? { ...authenticator, proven: true as const } : authenticator,
    ),
  }
  return { ...charter, users: charter.users.map((item) => (item === user ? proven : item)) }
}

/** The version of an organization that nobody has changed. */
const FOUNDED = 1
