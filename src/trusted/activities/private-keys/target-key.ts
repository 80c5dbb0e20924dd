import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { shown, text } from '../../catalogue/shape.ts'
import { readP256Key } from '../../crypto/p256.ts'
import type { EcPublicKey } from '../../crypto/signature.ts'
import { type Facts, string } from '../../policy/types.ts'

/** The key of the caller to which an export is encrypted. */
export const targetPublicKey = text({ min: 1, max: 256 })

export const invalidTargetPublicKey = defineFailure<{ readonly targetPublicKey: string }>({
  kind: 'invalidTargetPublicKey',
  code: INVALID_ARGUMENT,
  say: ({ targetPublicKey: sent }) =>
    `invalid target public key: ${shown(sent)} is not a P-256 point in hexadecimal, of 65 bytes uncompressed or 33 compressed`,
})

/**
 * Clients send either form; the encryption is bound to the uncompressed one.
 *
 * @throws  Failure `invalidTargetPublicKey`
 */
export function targetKey(sent: string): EcPublicKey {
  const key = readP256Key(sent)
  if (key === undefined) throw invalidTargetPublicKey({ targetPublicKey: sent })
  return key
}

/**
 * The fact for policies, under `activity.params`: uncompressed in lower case, so that a DENY for a key cannot be
 * avoided with capitals or the compressed form.
 */
export const targetKeyTypes = { target_public_key: string }

export function targetKeyFacts({ targetPublicKey: sent }: { readonly targetPublicKey: string }): Facts {
  return { target_public_key: readP256Key(sent)?.uncompressed ?? sent }
}
