import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import type { Steps } from '../../base/work.ts'
import type { Ms } from '../../base/world.ts'
import type { ApiKey, Charter, User } from '../../charter/charter.ts'
import { memberFailures, withUsers } from '../../charter/members.ts'
import { credentialBundle } from '../../crypto/bundles.ts'
import { generateP256Secret, p256PublicKeyOf, readP256Key } from '../../crypto/p256.ts'
import type { EcPublicKey } from '../../crypto/signature.ts'
import { SESSION_SECONDS_DEFAULT } from './session-key.ts'

export const invalidTargetPublicKey = defineFailure<{ readonly targetPublicKey: string }>({
  kind: 'invalidTargetPublicKey',
  code: INVALID_ARGUMENT,
  say: ({ targetPublicKey }) =>
    `invalid targetPublicKey: ${JSON.stringify(targetPublicKey.slice(0, 140))} is not a P-256 public key in hexadecimal`,
})

export const bundledKeyFailures = [...memberFailures, invalidTargetPublicKey]

/** The kinds of keys that the service creates itself and returns in a bundle. */
type BundledKeyType =
  | 'CREDENTIAL_TYPE_EMAIL_AUTH_KEY_P256'
  | 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256'
  | 'CREDENTIAL_TYPE_OAUTH_KEY_P256'
  | 'CREDENTIAL_TYPE_OTP_AUTH_KEY_P256'
  | 'CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256'

/** Refuses an invalid target key. For `validate`, before approvals are requested. */
export function checkTargetKey({ targetPublicKey }: { readonly targetPublicKey: string }): void {
  readTargetKey(targetPublicKey)
}

/**
 * Makes a key pair for a user: the public half becomes a credential that expires, the private half leaves in a bundle
 * that only the holder of the target key can open, and is not stored.
 *
 * @param made.kindName  such as `Oauth`: the default name of the key is made of it and the time
 */
export function* withBundledKey(made: {
  readonly charter: Charter
  /** The user with all other changes of the request. */
  readonly user: User
  readonly type: BundledKeyType
  readonly kindName: string
  readonly intent: {
    readonly targetPublicKey: string
    readonly apiKeyName?: string
    readonly expirationSeconds?: string
    readonly invalidateExisting?: boolean
  }
  readonly now: Ms
  readonly newId: () => string
  readonly randomBytes: (length: number) => Uint8Array
}): Steps<{
  readonly charter: Charter
  readonly apiKeyId: string
  readonly bundle: string
  readonly expiresAt: Ms
}> {
  const { charter, user, type, kindName, intent, now, newId, randomBytes } = made
  const receiver = readTargetKey(intent.targetPublicKey)
  const secret = generateP256Secret(randomBytes)
  const seconds = Number(intent.expirationSeconds ?? SESSION_SECONDS_DEFAULT)
  const key: ApiKey = {
    apiKeyId: newId(),
    apiKeyName: intent.apiKeyName ?? `${kindName} - ${new Date(now).toISOString()}`,
    publicKey: p256PublicKeyOf(secret),
    type,
    expirationSeconds: seconds,
    createdAt: now,
    updatedAt: now,
  }
  const bundle = credentialBundle(secret, receiver, randomBytes)
  secret.fill(0)
  const kept = user.apiKeys.filter((apiKey) => intent.invalidateExisting !== true || apiKey.type !== type)
  return {
    charter: yield* withUsers(charter, [{ ...user, apiKeys: [...kept, key] }], now),
    apiKeyId: key.apiKeyId,
    bundle,
    expiresAt: now + seconds * 1000,
  }
}

function readTargetKey(targetPublicKey: string): EcPublicKey {
  const known = readP256Key(targetPublicKey)
  if (known === undefined) throw invalidTargetPublicKey({ targetPublicKey })
  return known
}
