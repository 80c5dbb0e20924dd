import { ALREADY_EXISTS, defineFailure, NOT_FOUND } from '../base/failure.ts'
import type { Ms } from '../base/world.ts'
import { defineKind, type Opened } from '../catalogue/objects.ts'
import { limits, tooMany } from '../charter/limits.ts'

/** The metadata of a wallet; the mnemonic is sealed together with it, as `wallet-secret.ts` writes it. */
export type Wallet = {
  readonly walletId: string
  readonly walletName: string
  /** 12, 15, 18, 21 or 24 words. */
  readonly mnemonicLength: number
  /** Identifies the seed: see `seedKeyOf`. */
  readonly seedKey: string
  readonly imported: boolean
  readonly exported: boolean
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

export const wallets = defineKind<Wallet>({
  kind: 'wallet',
  claims: ({ walletName, seedKey }) => [
    { kind: 'WALLET_NAME', value: walletName },
    { kind: 'WALLET_SEED', value: seedKey },
  ],
  taken: (claim, walletId) =>
    claim.kind === 'WALLET_NAME'
      ? walletNameTaken({ walletName: claim.value })
      : seedAlreadyImported({ walletId }),
})

export const walletNotFound = defineFailure<{ readonly walletId: string; readonly organizationId: string }>({
  kind: 'walletNotFound',
  code: NOT_FOUND,
  say: ({ walletId, organizationId }) =>
    `unable to find wallet ${walletId} in organization ${organizationId}`,
})

export const walletNameTaken = defineFailure<{ readonly walletName: string }>({
  kind: 'walletNameTaken',
  code: ALREADY_EXISTS,
  say: ({ walletName }) =>
    `wallet label must be unique: there is a wallet named ${JSON.stringify(walletName)} already`,
})

export const seedAlreadyImported = defineFailure<{ readonly walletId: string }>({
  kind: 'seedAlreadyImported',
  code: ALREADY_EXISTS,
  say: ({ walletId }) => `seed for wallet ${walletId} already imported in this organization`,
})

export function knownWallet(
  rows: readonly Opened<Wallet>[],
  walletId: string,
  organizationId: string,
): Opened<Wallet> {
  const row = rows.find(({ objectId }) => objectId === walletId)
  if (row === undefined) throw walletNotFound({ walletId, organizationId })
  return row
}

/**
 * Refuses a wallet beyond the limit of an organization. The count is exact, because adding a wallet amends the charter.
 *
 * @param all  every wallet of the organization (`everyObject(wallets)`)
 */
export function checkRoomForWallet(all: readonly Opened<Wallet>[]): void {
  if (all.length >= limits.wallets) throw tooMany({ what: 'wallets', max: limits.wallets })
}

/** Refuses a name that another wallet has. */
export function checkNewWalletName(
  all: readonly Opened<Wallet>[],
  walletName: string,
  walletId?: string,
): void {
  const holder = all.find(({ body }) => body.walletName === walletName)
  if (holder !== undefined && holder.objectId !== walletId) throw walletNameTaken({ walletName })
}
