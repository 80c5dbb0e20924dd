import { defineFailure, FAILED_PRECONDITION } from '../base/failure.ts'
import type { Ms } from '../base/world.ts'
import { defineKind, objectsById, type ObjectsNeed, type Opened } from '../catalogue/objects.ts'
import { shown } from '../catalogue/shape.ts'
import { readP256Key } from '../crypto/p256.ts'

/** Long enough for an import that waits a day for its approvals. */
const GOOD_FOR_MS = 48 * 60 * 60 * 1000

/** Unfinished imports of one user; a new one replaces the oldest. */
export const TARGETS_PER_USER_MAX = 100
/** Of all users together: all of them are read to count them. */
export const TARGETS_MAX = 1_000

/**
 * A key pair that one user may encrypt one secret to; the import uses it up. The sealed secret is its private scalar,
 * and its public key is the object's id, so that the key that an import names finds it.
 */
export type SecretTarget = {
  readonly userId: string
  /** Hex of 65 bytes, uncompressed. */
  readonly targetPublic: string
  readonly createdAt: Ms
}

export const secretTargets = defineKind<SecretTarget>({
  kind: 'secret_target',
  expiresAt: ({ createdAt }) => createdAt + GOOD_FOR_MS,
})

/** One text for targets that never existed, were used, have expired, or belong to another user. */
export const noSecretTarget = defineFailure<{ readonly targetPublicKey: string }>({
  kind: 'noSecretTarget',
  code: FAILED_PRECONDITION,
  say: ({ targetPublicKey }) =>
    `no import was begun with target public key ${shown(targetPublicKey)}: the same user must run an init import activity first, its target key can be used for one secret and for two days`,
})

/** For `needs`: the targets with these keys, in whichever form they were sent. */
export function secretTargetsOf(targetPublicKeys: readonly string[]): ObjectsNeed<SecretTarget> {
  return objectsById(secretTargets, targetPublicKeys.map(targetIdOf))
}

/** A text that is not a key is the id of no target. */
export function targetIdOf(targetPublicKey: string): string {
  return readP256Key(targetPublicKey)?.uncompressed ?? ''
}

export function isOpen({ body }: Opened<SecretTarget>, now: Ms): boolean {
  return body.createdAt + GOOD_FOR_MS > now
}
