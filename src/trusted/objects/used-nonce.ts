import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'
import { Secret } from '../base/secret.ts'
import type { Ms } from '../base/world.ts'
import {
  defineKind,
  objectsById,
  type ObjectsNeed,
  type Opened,
  place,
  type Placed,
} from '../catalogue/objects.ts'

/**
 * The record that a message with this nonce was accepted in an organization; it is kept for the lifetime of the
 * message.
 */
export type UsedNonce = { readonly nonce: string; readonly expiresAt: Ms }

export const usedNonces = defineKind<UsedNonce>({
  kind: 'used_nonce',
  guardedBy: 'row',
  expiresAt: ({ expiresAt }) => expiresAt,
})

export const nonceUsed = defineFailure({
  kind: 'nonceUsed',
  code: INVALID_ARGUMENT,
  say: () => 'invalid wallet sign-in message: its nonce has been used already; sign one for a new key',
})

/** For `needs`. A malformed nonce needs no row: the message is refused when it is read. */
export function nonceOf(nonce: string | undefined): ObjectsNeed<UsedNonce> {
  return objectsById(usedNonces, nonce === undefined ? [] : [nonce])
}

/**
 * The row that uses a nonce up.
 *
 * @param found  the rows brought for `nonceOf`
 * @throws       Failure `nonceUsed`
 */
export function useNonce(
  found: readonly Opened<UsedNonce>[],
  { nonce, expiresAt }: UsedNonce,
  randomBytes: (length: number) => Uint8Array,
): Placed {
  if (found.length > 0) throw nonceUsed()
  // Every row seals a secret; this one is random and unused.
  return place(usedNonces, nonce, { nonce, expiresAt }, new Secret(randomBytes(32)))
}
