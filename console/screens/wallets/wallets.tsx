import type { ScreenProps } from '../screen.ts'
import { OneWallet } from './one-wallet.tsx'
import { WalletList } from './wallet-list.tsx'

/** What can be signed with: wallets and their accounts, and keys that are in no wallet. */
export function Wallets({ session, rest: [walletId] }: ScreenProps) {
  return walletId === undefined ? (
    <WalletList session={session} />
  ) : (
    <OneWallet session={session} walletId={walletId} />
  )
}
