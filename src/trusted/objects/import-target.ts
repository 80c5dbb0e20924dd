import { present } from '../base/assert.ts'
import { defineFailure, FAILED_PRECONDITION } from '../base/failure.ts'
import { Secret } from '../base/secret.ts'
import type { Ms } from '../base/world.ts'
import { defineKind } from '../catalogue/objects.ts'
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

export const importTargets = defineKind<ImportTarget>({ kind: 'import_target' })

/** A target for a wallet cannot be used for a private key. */
export const walletImportTargets = defineKind<ImportTarget>({ kind: 'wallet_import_target' })

export const noImportTarget = defineFailure<{ readonly userId: string }>({
  kind: 'noImportTarget',
  code: FAILED_PRECONDITION,
  say: ({ userId }) =>
    `no import was begun for user ${userId}: run an init import activity first, its target key can be used for one import`,
})

/** A new key pair to encrypt to. */
export function newTarget(randomBytes: (length: number) => Uint8Array): {
  readonly secret: Secret
  readonly target: EcPublicKey
} {
  const secret = new Secret(generateP256Secret(randomBytes))
  const target = present(readP256Key(p256PublicKeyOf(secret.reveal())), 'a point that was just computed')
  return { secret, target }
}
