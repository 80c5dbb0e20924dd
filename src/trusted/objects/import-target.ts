import { present } from '../base/assert.ts'
import { defineFailure, FAILED_PRECONDITION } from '../base/failure.ts'
import { Secret } from '../base/secret.ts'
import type { Ms } from '../base/world.ts'
import type { Effect } from '../catalogue/activity.ts'
import { claimsNothing, type ObjectKind, type ObjectsNeed, objectsById, place } from '../catalogue/objects.ts'
import type { Service } from '../catalogue/service.ts'
import type { Charter } from '../charter/charter.ts'
import { importTargetBundle } from '../crypto/bundles.ts'
import { generateP256Secret, p256PublicKeyOf, readP256Key } from '../crypto/p256.ts'
import type { EcPublicKey } from '../crypto/signature.ts'

/**
 * A key pair that one user may encrypt one secret to. The sealed secret is its private scalar. The object's id is the
 * user's, so that there is one at a time: a new one replaces the previous one, and an import uses it up.
 */
export type ImportTarget = {
  readonly userId: string
  readonly organizationId: string
  /** Hex of 65 bytes, uncompressed. */
  readonly targetPublic: string
  readonly createdAt: Ms
}

/** One kind of target for each kind of imported secret; a target of one kind cannot be used for another. */
export function importTargetKind(kind: string): ObjectKind<ImportTarget> {
  return {
    kind,
    ...claimsNothing('an import target'),
    entries: () => [],
    // Only a body that the vault has sealed is parsed, and it sealed no other shape.
    parse: (body) => JSON.parse(body) as ImportTarget,
  }
}

export const importTargets = importTargetKind('import_target')

export const noImportTarget = defineFailure<{ readonly userId: string }>({
  kind: 'noImportTarget',
  code: FAILED_PRECONDITION,
  say: ({ userId }) =>
    `no import was begun for user ${userId}: run an init import activity first, its target key can be used for one import`,
})

/** For `needs`. */
export function importTargetOf(kind: ObjectKind<ImportTarget>, userId: string): ObjectsNeed<ImportTarget> {
  return objectsById(kind, [userId])
}

/** Begins an import of the user: the row of the target, and the bundle for the client. */
export function importStart(
  kind: ObjectKind<ImportTarget>,
  userId: string,
  execution: {
    readonly charter: Charter
    readonly now: Ms
    readonly randomBytes: (length: number) => Uint8Array
    readonly service: Service
  },
): Effect<{ readonly importBundle: string }> {
  const { charter, now, randomBytes, service } = execution
  const { organizationId } = charter
  const { secret, target } = newTarget(randomBytes)
  const body = { userId, organizationId, targetPublic: target.uncompressed, createdAt: now }
  return {
    result: { importBundle: importTargetBundle(target, { organizationId, userId }, service.bundleSigner) },
    put: [place(kind, userId, body, secret)],
  }
}

/** A new key pair to encrypt to. */
export function newTarget(randomBytes: (length: number) => Uint8Array): {
  readonly secret: Secret
  readonly target: EcPublicKey
} {
  const secret = new Secret(generateP256Secret(randomBytes))
  const target = present(readP256Key(p256PublicKeyOf(secret.reveal())), 'a point that was just computed')
  return { secret, target }
}
