import { fromHex } from '../../base/bytes.ts'
import { checksummed } from '../../crypto/eip55.ts'
import { solanaKeyOf } from '../../chains/solana-address.ts'
import type { WalletAuthenticatorType } from '../../charter/charter.ts'
import { readEd25519Key } from '../../crypto/ed25519.ts'

/**
 * The address as its chain writes it; undefined for other texts. For Ethereum either case is read, but not a wrong
 * checksum (EIP-55); for Solana only a key under which signatures can be verified.
 */
export function walletAddress(type: WalletAuthenticatorType, text: string): string | undefined {
  if (type === 'WALLET_AUTHENTICATOR_TYPE_ETHEREUM') return ethereumAddressIn(text)
  const key = solanaKeyOf(text)
  return key !== undefined && readEd25519Key(key) !== undefined ? text : undefined
}

function ethereumAddressIn(text: string): string | undefined {
  const account = /^0x[0-9a-fA-F]{40}$/.test(text) ? fromHex(text.slice(2)) : undefined
  if (account === undefined) return undefined
  const address = checksummed(account)
  const isPlain = text === text.toLowerCase()
  return isPlain || text === address ? address : undefined
}
