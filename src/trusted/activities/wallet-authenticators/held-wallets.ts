import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import {
  type LookupKey,
  type Gathered,
  type ObjectsNeed,
  objectsFound,
  type TakenNeed,
  takenNames,
} from '../../catalogue/objects.ts'
import { solanaKeyOf } from '../../chains/solana-address.ts'
import type { Curve } from '../../crypto/curve.ts'
import { readSecp256k1Key } from '../../crypto/secp256k1.ts'
import { peekVerificationToken } from '../../crypto/verification-token.ts'
import { materialClaim, type PrivateKey, privateKeys } from '../../objects/private-key.ts'
import { publicKeyEntry, type WalletAccount, walletAccounts } from '../../objects/wallet-account.ts'
import { holding } from '../credentials/held-keys.ts'
import { walletAddress } from './wallet-address.ts'
import type { WalletAuthenticatorParams } from './wallet-authenticator-params.ts'

export const walletIsHeld = defineFailure<{ readonly address: string }>({
  kind: 'walletIsHeld',
  code: INVALID_ARGUMENT,
  say: ({ address }) =>
    `invalid wallet authenticator: ${address} is the address of a private key or wallet account of this organization, and any user who may sign with that could log in with it: use a wallet that is held elsewhere`,
})

export type HeldWalletNeeds = {
  readonly keysWithAddress: ObjectsNeed<PrivateKey>
  readonly accountsWithAddress: ObjectsNeed<WalletAccount>
  readonly keysOfWallets: TakenNeed
}

/** The organization's own keys and accounts that are equal to these wallets. For `needs`. */
export function heldWallets(wallets: readonly WalletAuthenticatorParams[]): HeldWalletNeeds {
  const addresses = wallets.map(addressEntry)
  const keys = wallets.flatMap(keysOf)
  return {
    keysWithAddress: objectsFound(privateKeys, addresses, { enough: 1 }),
    accountsWithAddress: objectsFound(walletAccounts, [...addresses, ...keys.map(publicKeyEntry)], {
      enough: 1,
    }),
    keysOfWallets: takenNames(keys.map(materialClaim)),
  }
}

/** @throws  Failure `walletIsHeld`, where a row was brought for `heldWallets` */
export function checkWalletsElsewhere(
  wallets: readonly WalletAuthenticatorParams[],
  rows: Gathered<HeldWalletNeeds>,
): void {
  const addresses = new Set([
    ...rows.keysWithAddress.flatMap(({ body }) => body.addresses.map(({ address }) => address)),
    ...rows.accountsWithAddress.map(({ body }) => body.address),
  ])
  const isHeld = holding(rows.keysOfWallets, rows.accountsWithAddress)
  for (const wallet of wallets) {
    const { value: address } = addressEntry(wallet)
    if (keysOf(wallet).some(isHeld) || addresses.has(address)) throw walletIsHeld({ address })
  }
}

/**
 * The key of the wallet, as far as it is known: an address of Solana is one; of Ethereum the token tells it, which is
 * verified before this is believed.
 */
function keysOf({ type, address, verificationToken = '' }: WalletAuthenticatorParams): readonly WalletKey[] {
  if (type === 'WALLET_AUTHENTICATOR_TYPE_SOLANA') {
    const publicKey = solanaKeyOf(address)
    return publicKey === undefined ? [] : [{ curve: 'CURVE_ED25519', publicKey }]
  }
  const key = readSecp256k1Key(peekVerificationToken(verificationToken)?.wallet?.publicKey ?? '')
  return key === undefined ? [] : [{ curve: 'CURVE_SECP256K1', publicKey: key.compressed }]
}

type WalletKey = { readonly curve: Curve; readonly publicKey: string }

/** In the form in which keys and accounts are found. An invalid address is refused when it is read. */
function addressEntry({ type, address }: WalletAuthenticatorParams): LookupKey {
  // One of Solana has one spelling, and whether it is a key takes a millisecond to find out.
  const isSpelled = type === 'WALLET_AUTHENTICATOR_TYPE_SOLANA'
  return { kind: 'ADDRESS', value: isSpelled ? address : (walletAddress(type, address) ?? address) }
}
