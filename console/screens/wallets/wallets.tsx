import type { ScreenProps } from '../screen.ts'
import { OneKey } from './one-key.tsx'
import { OneWallet } from './one-wallet.tsx'
import { WalletList } from './wallet-list.tsx'

/** What can be signed with: wallets and their accounts, and keys that are in no wallet. */
export function Wallets({ session, rest: [walletId, keyId] }: ScreenProps) {
  if (walletId === undefined) return <WalletList session={session} />
  // No wallet has such an id.
  if (walletId === 'keys' && keyId !== undefined)
    return <OneKey key={keyId} session={session} privateKeyId={keyId} />
  return <OneWallet key={walletId} session={session} walletId={walletId} />
}
