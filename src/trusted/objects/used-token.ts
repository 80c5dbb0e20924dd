import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'
import { isUuid } from '../base/ids.ts'
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

/** The purposes of a verification token. Each may be used once: clients sign up and then log in with the same token. */
type TokenPurpose = 'LOGIN' | 'SIGNUP' | 'CONTACT'

/** The record that a verification token was used in an organization; it is kept for the lifetime of the token. */
export type UsedToken = { readonly tokenId: string; readonly purpose: TokenPurpose; readonly expiresAt: Ms }

export const usedTokens = defineKind<UsedToken>({
  kind: 'used_token',
  guardedBy: 'row',
  expiresAt: ({ expiresAt }) => expiresAt,
})

export const verificationTokenUsed = defineFailure({
  kind: 'verificationTokenUsed',
  code: INVALID_ARGUMENT,
  say: () => 'invalid verification token: it has been used already',
})

/** For `needs`. A token that does not parse, or whose id is malformed, needs no row: it is refused when it is read. */
export function useOf(purpose: TokenPurpose, tokenId: string | undefined): ObjectsNeed<UsedToken> {
  return usesOf(purpose, [tokenId])
}

/** The same for several tokens. */
export function usesOf(
  purpose: TokenPurpose,
  tokenIds: readonly (string | undefined)[],
): ObjectsNeed<UsedToken> {
  const ids = tokenIds.flatMap((tokenId) =>
    tokenId === undefined || !isUuid(tokenId) ? [] : [idOf(purpose, tokenId)],
  )
  return objectsById(usedTokens, ids)
}

/**
 * The row that uses a token up.
 *
 * @param found  the rows brought for `useOf`
 * @throws       Failure `verificationTokenUsed`
 */
export function useToken(
  found: readonly Opened<UsedToken>[],
  token: { readonly tokenId: string; readonly purpose: TokenPurpose; readonly expiresAt: Ms },
  randomBytes: (length: number) => Uint8Array,
): Placed {
  if (found.length > 0) throw verificationTokenUsed()
  const { tokenId, purpose, expiresAt } = token
  // Every row seals a secret; this one is random and unused.
  const secret = new Secret(randomBytes(32))
  return place(usedTokens, idOf(purpose, tokenId), { tokenId, purpose, expiresAt }, secret)
}

/**
 * The rows that use several tokens up, each of which came once.
 *
 * @param found  the rows brought for `usesOf`
 * @throws       Failure `verificationTokenUsed`
 */
export function useTokens(
  found: readonly Opened<UsedToken>[],
  tokens: readonly { readonly id: string; readonly expiresAt: Ms }[],
  purpose: TokenPurpose,
  randomBytes: (length: number) => Uint8Array,
): readonly Placed[] {
  if (new Set(tokens.map(({ id }) => id)).size < tokens.length) throw verificationTokenUsed()
  return tokens.map(({ id: tokenId, expiresAt }) =>
    useToken(
      found.filter(({ body }) => body.tokenId === tokenId),
      { tokenId, purpose, expiresAt },
      randomBytes,
    ),
  )
}

function idOf(purpose: TokenPurpose, tokenId: string): string {
  return `${purpose} ${tokenId}`
}
