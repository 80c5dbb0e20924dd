import { present } from '../base/assert.ts'
import { ALREADY_EXISTS, defineFailure, INVALID_ARGUMENT, NOT_FOUND } from '../base/failure.ts'
import type { Ms } from '../base/world.ts'
import {
  defineKind,
  type LookupKey,
  objectsById,
  objectsFollowing,
  objectsFound,
  type ObjectsNeed,
  type Opened,
} from '../catalogue/objects.ts'
import type { AddressFormat } from '../chains/address-format.ts'
import type { Curve } from '../crypto/curve.ts'
import { readPath } from '../crypto/hd-path.ts'
import { type Wallet, wallets } from './wallet.ts'

/**
 * One address of one key of a wallet. The sealed secret is that key itself, 32 bytes, so that signing with an account
 * needs no derivation, and its cost does not depend on the number of accounts (docs/decisions/wallets.md).
 */
export type WalletAccount = {
  readonly walletAccountId: string
  readonly walletId: string
  readonly name?: string
  readonly curve: Curve
  readonly pathFormat: 'PATH_FORMAT_BIP32'
  /** As it was sent. */
  readonly path: string
  readonly addressFormat: AddressFormat
  readonly address: string
  /** secp256k1 and P-256: 33 bytes compressed; Ed25519: 32 bytes; lowercase hex. */
  readonly publicKey: string
  readonly exported: boolean
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

export const walletAccounts = defineKind<WalletAccount>({
  kind: 'wallet_account',
  claims: (account) => [
    pathClaim(account),
    ...(account.name === undefined ? [] : [{ kind: 'WALLET_ACCOUNT_NAME', value: account.name }]),
  ],
  entries: (account) => [
    { kind: 'ADDRESS', value: account.address },
    { kind: 'WALLET', value: account.walletId },
    publicKeyEntry(account),
  ],
  taken: (claim, walletAccountId) =>
    claim.kind === 'WALLET_ACCOUNT_NAME'
      ? walletAccountNameTaken({ name: claim.value })
      : pathAlreadyExists({ walletAccountId }),
})

/** Accounts of several formats may have the same key. */
export function publicKeyEntry({ curve, publicKey }: Pick<WalletAccount, 'curve' | 'publicKey'>): LookupKey {
  return { kind: 'ACCOUNT_PUBLIC_KEY', value: `${curve} ${publicKey}` }
}

/**
 * The claim that only one account of a wallet may have this path. On Ed25519 both spellings of a level lead to the same
 * key, and count as the same path.
 */
export function pathClaim({
  walletId,
  curve,
  path,
  addressFormat,
}: Pick<WalletAccount, 'walletId' | 'curve' | 'path' | 'addressFormat'>): LookupKey {
  return {
    kind: 'WALLET_ACCOUNT_PATH',
    value: `${walletId} ${curve} ${addressFormat} ${curve === 'CURVE_ED25519' ? hardened(path) : path}`,
  }
}

function hardened(path: string): string {
  const { indexes } = present(readPath(path), 'the path of an account is one that was read')
  return ['m', ...indexes.map((index) => `${index}'`)].join('/')
}

export const walletAccountNotFound = defineFailure<{ readonly address: string }>({
  kind: 'walletAccountNotFound',
  code: NOT_FOUND,
  say: ({ address }) => `Could not find wallet account with address: ${address}`,
})

export const pathAlreadyExists = defineFailure<{ readonly walletAccountId: string }>({
  kind: 'pathAlreadyExists',
  code: ALREADY_EXISTS,
  say: ({ walletAccountId }) => `path already exists in wallet account ${walletAccountId}`,
})

export const walletAccountNameTaken = defineFailure<{ readonly name: string }>({
  kind: 'walletAccountNameTaken',
  code: ALREADY_EXISTS,
  say: ({ name }) =>
    `wallet account label must be unique: there is a wallet account named ${JSON.stringify(name)} already`,
})

export const walletAccountNotOfOrganization = defineFailure<{ readonly walletAccountId: string }>({
  kind: 'walletAccountNotOfOrganization',
  code: INVALID_ARGUMENT,
  say: ({ walletAccountId }) => `wallet account not part of your organization: ${walletAccountId}`,
})

export type AccountNeeds = {
  readonly accounts: ObjectsNeed<WalletAccount>
  readonly wallets: ObjectsNeed<Wallet>
}

const walletsOfAccounts: ObjectsNeed<Wallet> = objectsFollowing(
  'accounts',
  wallets,
  ({ walletId }: WalletAccount) => [walletId],
)

/** The accounts with this address, exactly as it is stored, and their wallets. */
export function accountsWithAddress(address: string): AccountNeeds {
  return {
    accounts: objectsFound(walletAccounts, [{ kind: 'ADDRESS', value: address }]),
    wallets: walletsOfAccounts,
  }
}

/** Needs no accounts, where the request names something else. */
export const noAccounts: AccountNeeds = {
  accounts: objectsById(walletAccounts, []),
  wallets: walletsOfAccounts,
}

export type AccountOfWallet = { readonly account: Opened<WalletAccount>; readonly wallet: Opened<Wallet> }

/**
 * The account that an address names, with its wallet; undefined when there is none. Several formats of one key may have
 * the same address (Bitcoin's test networks): then the oldest account is used; they have the same key in the same
 * wallet, so they sign the same. An account without its wallet counts as absent.
 */
export function accountIn(
  accounts: readonly Opened<WalletAccount>[],
  walletRows: readonly Opened<Wallet>[],
): AccountOfWallet | undefined {
  const found = accounts.flatMap((account) => {
    const wallet = walletRows.find(({ objectId }) => objectId === account.body.walletId)
    return wallet === undefined ? [] : [{ account, wallet }]
  })
  return found.reduce<AccountOfWallet | undefined>(
    (oldest, item) =>
      oldest === undefined || item.account.objectId < oldest.account.objectId ? item : oldest,
    undefined,
  )
}
