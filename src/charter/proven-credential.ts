import type { Charter } from './charter.ts'

/**
 * The charter with the API key or passkey of a request marked as proven here. Anybody can register a public key; only its
 * holder can change the organization with it (docs/decisions/same-credential.md).
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
    apiKeys: user.apiKeys.map((one) => (one === key ? { ...one, proven: true as const } : one)),
    authenticators: user.authenticators.map((one) =>
      one === passkey ? { ...one, proven: true as const } : one,
    ),
  }
  return { ...charter, users: charter.users.map((one) => (one === user ? proven : one)) }
}
