import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { shown, text } from '../../catalogue/shape.ts'
import { readP256Key } from '../../crypto/p256.ts'
import type { EcPublicKey } from '../../crypto/signature.ts'
import { type Facts, string } from '../../policy/types.ts'

/** The key of the caller that an export is encrypted to. */
export const targetPublicKey = text({ min: 1, max: 256 })

export const invalidTargetPublicKey = defineFailure<{ readonly targetPublicKey: string }>({
  kind: 'invalidTargetPublicKey',
  code: INVALID_ARGUMENT,
  say: ({ targetPublicKey: sent }) =>
    `invalid target public key: ${shown(sent)} is not a P-256 point in hexadecimal, of 65 bytes uncompressed or 33 compressed`,
})

/**
 * Clients send either form; what is encrypted is bound to the uncompressed one.
 *
 * @throws  Failure `invalidTargetPublicKey`
 */
export function targetKey(sent: string): EcPublicKey {
  const key = readP256Key(sent)
  if (key === undefined) throw invalidTargetPublicKey({ targetPublicKey: sent })
  return key
}

/**
 * What policies see of it, under `activity.params`. One key has one spelling for them, uncompressed in lower case: what denies a
 * key cannot be passed by writing it in capitals or compressed.
 */
export const targetKeyTypes = { target_public_key: string }

export function targetKeyFacts({ targetPublicKey: sent }: { readonly targetPublicKey: string }): Facts {
  return { target_public_key: readP256Key(sent)?.uncompressed ?? sent }
}
