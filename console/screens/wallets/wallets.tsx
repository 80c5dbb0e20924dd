import type { Screen, ScreenProps } from '../screen.ts'
import { OneWallet } from './one-wallet.tsx'
import { WalletList } from './wallet-list.tsx'
import { say } from './words.ts'

/** What can be signed with: wallets and their accounts, and keys that are in no wallet. */
export const wallets: Screen = { path: 'wallets', title: () => say('title'), View: Wallets }

function Wallets({ session, rest: [walletId] }: ScreenProps) {
  return walletId === undefined ? (
    <WalletList session={session} />
  ) : (
    <OneWallet session={session} walletId={walletId} />
  )
}
