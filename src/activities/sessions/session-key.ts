import { defineFailure, INVALID_ARGUMENT, NOT_FOUND } from '../../base/failure.ts'
import { readP256Key } from '../../crypto/p256.ts'
import { signSessionJwt } from '../../crypto/session-jwt.ts'
import type { Ms } from '../../base/world.ts'
import type { Service } from '../../catalogue/service.ts'
import type { ApiKey, Charter, SessionProfile, User } from '../../charter/charter.ts'
import { memberFailures, withUsers } from '../../charter/members.ts'

export const invalidSessionKey = defineFailure<{ readonly publicKey: string }>({
  kind: 'invalidSessionKey',
  code: INVALID_ARGUMENT,
  say: ({ publicKey }) =>
    `invalid publicKey: ${JSON.stringify(publicKey.slice(0, 140))} is not a P-256 public key (33 bytes, compressed, in hexadecimal)`,
})

export const sessionProfileNotFound = defineFailure<{ readonly sessionProfileId: string }>({
  kind: 'sessionProfileNotFound',
  code: NOT_FOUND,
  say: ({ sessionProfileId }) => `could not find session profile ${sessionProfileId}`,
})

export const sessionFailures = [...memberFailures, invalidSessionKey, sessionProfileNotFound]

/** Validity of sessions and of the keys of credential bundles when the request does not say: 15 minutes. */
export const SESSION_SECONDS_DEFAULT = 900

/** What the three logins ask for. */
export type LoginIntent = {
  readonly publicKey: string
  readonly expirationSeconds?: string
  readonly invalidateExisting?: boolean
  readonly sessionProfileId?: string
}

/** Profiles are the parent's; a top-level organization logs in under its own. */
export function profileOf(
  { sessionProfileId }: Pick<LoginIntent, 'sessionProfileId'>,
  charter: Charter,
  parent: Charter | undefined,
): SessionProfile | undefined {
  if (sessionProfileId === undefined || sessionProfileId === '') return undefined
  const profile = (parent ?? charter).sessionProfiles.find((one) => one.sessionProfileId === sessionProfileId)
  if (profile === undefined) throw sessionProfileNotFound({ sessionProfileId })
  return profile
}

/** Opens a session for a user of the charter: their key is registered as a credential that expires, and a token tells of it. */
export function withSession(opened: {
  readonly charter: Charter
  readonly parent: Charter | undefined
  /** As it is to stand in the charter otherwise. */
  readonly user: User
  readonly intent: LoginIntent
  readonly now: Ms
  readonly newId: () => string
  readonly service: Service
}): { readonly charter: Charter; readonly session: string } {
  const { charter, parent, user, intent, now, newId, service } = opened
  const publicKey = readP256Key(intent.publicKey)?.compressed
  if (publicKey === undefined || intent.publicKey.length !== 66)
    throw invalidSessionKey({ publicKey: intent.publicKey })
  const profile = profileOf(intent, charter, parent)
  const seconds = Math.min(
    Number(intent.expirationSeconds ?? profile?.expirationSeconds ?? SESSION_SECONDS_DEFAULT),
    profile?.expirationSeconds ?? Number.POSITIVE_INFINITY,
  )
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
    (one) => one.type !== LOGIN || (intent.invalidateExisting !== true && one.publicKey !== publicKey),
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
    charter: withUsers(charter, [{ ...user, apiKeys: [...kept, key] }], now),
    session: signSessionJwt(claims, service.sessionSigner),
  }
}

const LOGIN = 'CREDENTIAL_TYPE_LOGIN'
