import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import type { Steps } from '../../base/work.ts'
import type { Ms } from '../../base/world.ts'
import type { Service } from '../../catalogue/service.ts'
import { text } from '../../catalogue/shape.ts'
import type { ApiKey, Charter, SessionProfile, User } from '../../charter/charter.ts'
import { memberFailures, withUsers } from '../../charter/members.ts'
import { knownSessionProfile, sessionProfileNotFound } from '../../charter/session-profiles.ts'
import { withoutSignature } from '../../crypto/jwt.ts'
import { readP256Key } from '../../crypto/p256.ts'
import { signSessionJwt } from '../../crypto/session-jwt.ts'

export const invalidSessionKey = defineFailure<{ readonly publicKey: string }>({
  kind: 'invalidSessionKey',
  code: INVALID_ARGUMENT,
  say: ({ publicKey }) =>
    `invalid publicKey: ${JSON.stringify(publicKey.slice(0, 140))} is not a P-256 public key (33 bytes, compressed, in hexadecimal)`,
})

export const sessionFailures = [...memberFailures, invalidSessionKey, sessionProfileNotFound]

/** The token of a session, as logins return it: a few hundred characters, and the scope of a profile. */
export const session = text({ max: 65_536 })

/**
 * The result of a login as its record keeps it. The token admits nobody here, but a backend may take it for a login,
 * and everybody who reads the record would be let in there. For `withoutBearer`.
 */
export function withoutSession(result: { readonly session: string }): { readonly session: string } {
  return { session: withoutSignature(result.session) }
}

/** Validity of sessions and of the keys of credential bundles when the request does not say: 15 minutes. */
export const SESSION_SECONDS_DEFAULT = 900

/** The common intent of the three logins. */
export type LoginIntent = {
  readonly publicKey: string
  readonly expirationSeconds?: string
  readonly invalidateExisting?: boolean
  readonly sessionProfileId?: string
}

/** Refuses an invalid session key. For `validate`, before approvals are requested. */
export function checkSessionKey({ publicKey }: Pick<LoginIntent, 'publicKey'>): void {
  readSessionKey(publicKey)
}

/** Sub-organizations use the profiles of their parent; a top-level organization uses its own. */
function profileOf(
  { sessionProfileId }: Pick<LoginIntent, 'sessionProfileId'>,
  charter: Charter,
  parent: Charter | undefined,
): SessionProfile | undefined {
  if (sessionProfileId === undefined || sessionProfileId === '') return undefined
  return knownSessionProfile(parent ?? charter, sessionProfileId)
}

/**
 * Opens a session for a user of the charter: their key is registered as a credential that expires, and a token tells of
 * it.
 */
export function* withSession(opened: {
  readonly charter: Charter
  readonly parent: Charter | undefined
  /** The user with all other changes of the request. */
  readonly user: User
  readonly intent: LoginIntent
  readonly now: Ms
  readonly newId: () => string
  readonly service: Service
}): Steps<{ readonly charter: Charter; readonly session: string }> {
  const { charter, parent, user, intent, now, newId, service } = opened
  const publicKey = readSessionKey(intent.publicKey)
  const profile = profileOf(intent, charter, parent)
  const seconds = sessionSeconds(intent, profile)
  const key: ApiKey = {
    apiKeyId: newId(),
    apiKeyName: `Login - ${new Date(now).toISOString()}`,
    publicKey,
    type: LOGIN,
    expirationSeconds: seconds,
    ...(profile === undefined
      ? {}
      : { session: { sessionProfileId: profile.sessionProfileId, scope: profile.scope } }),
    createdAt: now,
    updatedAt: now,
  }
  // Logging in again with the same key renews its session.
  const kept = user.apiKeys.filter(
    (apiKey) =>
      apiKey.type !== LOGIN || (intent.invalidateExisting !== true && apiKey.publicKey !== publicKey),
  )
  const claims = {
    expiresAt: now + seconds * 1000,
    publicKey: intent.publicKey,
    sessionType: profile?.sessionProfileName ?? 'SESSION_TYPE_READ_WRITE',
    userId: user.userId,
    organizationId: charter.organizationId,
    ...(profile === undefined ? {} : { sessionProfileId: profile.sessionProfileId, scope: profile.scope }),
  }
  return {
    charter: yield* withUsers(charter, [{ ...user, apiKeys: [...kept, key] }], now),
    session: signSessionJwt(claims, service.sessionSigner),
  }
}

const LOGIN = 'CREDENTIAL_TYPE_LOGIN'

/** @returns  33 bytes compressed, lowercase hex */
function readSessionKey(hex: string): string {
  const known = hex.length === 66 ? readP256Key(hex)?.compressed : undefined
  if (known === undefined) throw invalidSessionKey({ publicKey: hex })
  return known
}

/** The limit of a profile is the default lifetime of its sessions, and the longest one. */
function sessionSeconds(
  { expirationSeconds }: Pick<LoginIntent, 'expirationSeconds'>,
  profile: SessionProfile | undefined,
): number {
  const longest = profile?.expirationSeconds
  if (expirationSeconds === undefined) return longest ?? SESSION_SECONDS_DEFAULT
  return Math.min(Number(expirationSeconds), longest ?? Number.POSITIVE_INFINITY)
}
