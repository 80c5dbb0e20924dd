import type { Wallet } from '../../../trusted/objects/wallet.ts'
import type { WalletAccount } from '../../../trusted/objects/wallet-account.ts'
import { timestamp } from '../../../trusted/charter/view.ts'

export function walletView({ walletId, walletName, exported, imported, createdAt, updatedAt }: Wallet) {
  return {
    walletId,
    walletName,
    exported,
    imported,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
  }
}

/** @param wallet  its wallet, to be shown with it; undefined where it was not requested */
export function walletAccountView(
  account: WalletAccount,
  { organizationId, wallet }: { readonly organizationId: string; readonly wallet: Wallet | undefined },
) {
  const { walletAccountId, walletId, name, curve, pathFormat, path, addressFormat, address, publicKey } =
    account
  return {
    walletAccountId,
    organizationId,
    walletId,
    ...(name === undefined ? {} : { name }),
    curve,
    pathFormat,
    path,
    addressFormat,
    address,
    publicKey,
    ...(wallet === undefined ? {} : { walletDetails: walletView(wallet) }),
    createdAt: timestamp(account.createdAt),
    updatedAt: timestamp(account.updatedAt),
  }
}
