import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import {
  type Gathered,
  type ObjectsNeed,
  objectsFound,
  type Opened,
  type TakenNeed,
  takenNames,
} from '../../catalogue/objects.ts'
import type { Charter } from '../../charter/charter.ts'
import { keptForRecovery } from '../../charter/organization-recovery.ts'
import { ethereumAddress } from '../../chains/ethereum-address.ts'
import { readPublicKey } from '../../chains/public-key.ts'
import { solanaAddress } from '../../chains/solana-address.ts'
import type { Curve } from '../../crypto/curve.ts'
import { materialClaim } from '../../objects/private-key.ts'
import { publicKeyEntry, type WalletAccount, walletAccounts } from '../../objects/wallet-account.ts'
import type { ApiKeyParams } from './api-key-params.ts'

export const apiKeyIsHeld = defineFailure<{ readonly publicKey: string }>({
  kind: 'apiKeyIsHeld',
  code: INVALID_ARGUMENT,
  say: ({ publicKey }) =>
    `invalid api key: ${publicKey} is the key of a private key or wallet account of this organization, and any user who may sign with that could send requests with it: use a key that is held elsewhere`,
})

export const heldKeyIsApiKey = defineFailure<{ readonly publicKey: string }>({
  kind: 'heldKeyIsApiKey',
  code: INVALID_ARGUMENT,
  say: ({ publicKey }) =>
    `invalid key: ${publicKey} is an API key of a user of this organization, and any user who may sign with it here could send requests as that user: delete the API key first`,
})

export const heldKeyIsWallet = defineFailure<{ readonly address: string }>({
  kind: 'heldKeyIsWallet',
  code: INVALID_ARGUMENT,
  say: ({ address }) =>
    `invalid key: ${address} is a wallet with which a user of this organization logs in, and any user who may sign with it here could log in as that user: delete the wallet authenticator first`,
})

export type HeldNeeds = {
  readonly heldKeys: TakenNeed
  readonly heldAccounts: ObjectsNeed<WalletAccount>
}

/** The organization's own keys that are equal to these. For `needs`; the texts may still turn out not to be keys. */
export function heldKeyNeeds(keys: readonly ApiKeyParams[]): HeldNeeds {
  return {
    heldKeys: takenNames(keys.map((key) => materialClaim(keyOf(key)))),
    heldAccounts: objectsFound(
      walletAccounts,
      keys.map((key) => publicKeyEntry(keyOf(key))),
      { enough: 1 },
    ),
  }
}

/**
 * Refuses a key that the organization holds: a user who may sign raw bytes with it could stamp requests as the owner of
 * the API key.
 *
 * @param rows  the rows brought for `heldKeyNeeds`
 * @throws      Failure `apiKeyIsHeld`
 */
export function checkHeldElsewhere(keys: readonly ApiKeyParams[], rows: Gathered<HeldNeeds>): void {
  const isHeld = holding(rows.heldKeys, rows.heldAccounts)
  for (const key of keys.map(keyOf)) if (isHeld(key)) throw apiKeyIsHeld({ publicKey: key.publicKey })
}

/**
 * Whether the organization holds a key: as a private key, by the names that are taken, or as an account of a wallet.
 */
export function holding(
  taken: ReadonlySet<string>,
  accounts: readonly Opened<WalletAccount>[],
): (key: { readonly curve: Curve; readonly publicKey: string }) => boolean {
  const ofAccounts = new Set(accounts.map(({ body }) => publicKeyEntry(body).value))
  return (key) => {
    const { kind, value } = materialClaim(key)
    return ofAccounts.has(publicKeyEntry(key).value) || taken.has(`${kind} ${value}`)
  }
}

/**
 * The keys and wallets with which users log in or stamp; no private key or account of the organization may be one of
 * them.
 */
export type LoginKeys = { readonly apiKeys: ReadonlySet<string>; readonly wallets: ReadonlySet<string> }

export const noLoginKeys: LoginKeys = { apiKeys: new Set(), wallets: new Set() }

export function loginKeysOf(charter: Charter): LoginKeys {
  const { users } = charter
  return {
    apiKeys: new Set([
      ...users.flatMap(({ apiKeys }) => apiKeys.map(({ publicKey }) => publicKey)),
      ...keptForRecovery(charter).publicKeys,
    ]),
    wallets: new Set(users.flatMap((user) => user.walletAuthenticators.map(({ address }) => address))),
  }
}

/** @throws  Failures `heldKeyIsApiKey`, `heldKeyIsWallet` */
export function checkNoLoginKey(
  { curve, publicKey }: { readonly curve: Curve; readonly publicKey: string },
  { apiKeys, wallets }: LoginKeys,
): void {
  if (apiKeys.has(publicKey)) throw heldKeyIsApiKey({ publicKey })
  const address = wallets.size === 0 ? undefined : walletAddressOf(curve, publicKey)
  if (address !== undefined && wallets.has(address)) throw heldKeyIsWallet({ address })
}

function walletAddressOf(curve: Curve, publicKey: string): string | undefined {
  const bytes = readPublicKey(curve, publicKey)
  if (curve === 'CURVE_SECP256K1') return ethereumAddress(bytes)
  return curve === 'CURVE_ED25519' ? solanaAddress(bytes) : undefined
}

/** In the form of private keys and accounts, as `readApiKey` returns it. */
function keyOf({ curveType, publicKey }: ApiKeyParams): {
  readonly curve: Curve
  readonly publicKey: string
} {
  return { curve: curveOf[curveType], publicKey: publicKey.toLowerCase() }
}

const curveOf: { readonly [C in ApiKeyParams['curveType']]: Curve } = {
  API_KEY_CURVE_P256: 'CURVE_P256',
  API_KEY_CURVE_SECP256K1: 'CURVE_SECP256K1',
  API_KEY_CURVE_ED25519: 'CURVE_ED25519',
}
