import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import type { VerificationMeans } from '../../catalogue/activity.ts'
import { list, object, oneOf, optional, refined, shown, text, type TypeOf } from '../../catalogue/shape.ts'
import { WALLET_AUTHENTICATOR_TYPES, type WalletAuthenticator } from '../../charter/charter.ts'
import { limits } from '../../charter/limits.ts'
import { readVerificationToken, type VerificationToken } from '../../crypto/verification-token.ts'
import { verificationTokenForeign } from '../otp/presented-token.ts'
import { DOMAIN_CHARACTERS_MAX, isSignInDomain } from './sign-in-domain.ts'
import { walletAddress } from './wallet-address.ts'

const domain = refined(text({ min: 1, max: DOMAIN_CHARACTERS_MAX }), {
  problem: (value) =>
    isSignInDomain(value)
      ? undefined
      : `must be a host in lowercase, with a port where it has one, not ${shown(value)}`,
})

const params = object({
  type: oneOf(WALLET_AUTHENTICATOR_TYPES),
  address: text({ min: 1, max: 64 }),
  domain,
  verificationToken: optional(text({ max: 16_384 })),
})

export type WalletAuthenticatorParams = TypeOf<typeof params>

export const walletAuthenticatorParams = list(params, { min: 1, max: limits.walletAuthenticatorsPerUser })

export const invalidWalletAddress = defineFailure<{ readonly address: string; readonly type: string }>({
  kind: 'invalidWalletAddress',
  code: INVALID_ARGUMENT,
  say: ({ address, type }) => `invalid wallet authenticator: ${shown(address)} is not an address of ${type}`,
})

export const walletNotProven = defineFailure<{ readonly address: string; readonly domain: string }>({
  kind: 'walletNotProven',
  code: INVALID_ARGUMENT,
  say: ({ address, domain: at }) =>
    `invalid verification token: it does not say that ${address} signed in at ${at}`,
})

/** As a charter has it. */
export function addressOf({ type, address }: WalletAuthenticatorParams): string {
  const known = walletAddress(type, address)
  if (known === undefined) throw invalidWalletAddress({ address, type })
  return known
}

/** The verified tokens of these wallets, each for the wallet and domain of its entry. For `verify`. */
export async function walletTokens(
  all: readonly WalletAuthenticatorParams[],
  { charter, service, now }: Pick<VerificationMeans, 'charter' | 'service' | 'now'>,
): Promise<readonly VerificationToken[]> {
  const { organizationId, parentId } = charter
  const tokens: VerificationToken[] = []
  for (const item of all) {
    if (item.verificationToken === undefined || item.verificationToken === '') continue
    const token = await readVerificationToken(item.verificationToken, service.tokenVerifyKeys(now), now)
    if (token.organizationId !== organizationId && token.organizationId !== parentId)
      throw verificationTokenForeign()
    const address = addressOf(item)
    if (
      token.verificationType !== item.type ||
      token.contact !== address ||
      token.wallet?.domain !== item.domain
    )
      throw walletNotProven({ address, domain: item.domain })
    tokens.push(token)
  }
  return tokens
}

export function newWalletAuthenticator(
  given: WalletAuthenticatorParams,
  { now, newId }: { readonly now: number; readonly newId: () => string },
): WalletAuthenticator {
  return {
    walletAuthenticatorId: newId(),
    type: given.type,
    address: addressOf(given),
    domain: given.domain,
    createdAt: now,
    updatedAt: now,
  }
}
