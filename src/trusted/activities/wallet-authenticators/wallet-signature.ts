import { fromHex, utf8 } from '../../base/bytes.ts'
import { ethereumAddress } from '../../chains/ethereum-address.ts'
import { readPublicKey } from '../../chains/public-key.ts'
import { solanaKeyOf } from '../../chains/solana-address.ts'
import type { WalletAuthenticatorType } from '../../charter/charter.ts'
import { ed25519VerifyKey, verifyEd25519 } from '../../crypto/ed25519.ts'
import { eip191Digest } from '../../crypto/eip191.ts'
import { recoverSecp256k1 } from '../../crypto/secp256k1.ts'

/**
 * The key of the wallet that signed exactly these bytes: 65 bytes of secp256k1 or 32 of Ed25519, in hex. Undefined
 * where the signature is not by the address. Contract accounts are not supported, because only their chain can verify
 * their signatures.
 *
 * @param wallet  its address as `walletAddress` returns it
 */
export function signingWallet(
  wallet: { readonly type: WalletAuthenticatorType; readonly address: string },
  message: string,
  signature: string,
): string | undefined {
  const bytes = fromHex(signature.startsWith('0x') ? signature.slice(2) : signature)
  if (bytes === undefined) return undefined
  return wallet.type === 'WALLET_AUTHENTICATOR_TYPE_ETHEREUM'
    ? ethereumSigner(wallet.address, utf8(message), bytes)
    : solanaSigner(wallet.address, utf8(message), bytes)
}

/** r ‖ s ‖ v, where v is the recovery bit or 27 more. */
function ethereumSigner(address: string, message: Uint8Array, bytes: Uint8Array): string | undefined {
  const v = bytes.length === 65 ? bytes[64] : undefined
  if (v === undefined) return undefined
  const key = recoverSecp256k1(bytes.subarray(0, 64), v >= 27 ? v - 27 : v, eip191Digest(message))
  if (key === undefined) return undefined
  const own = ethereumAddress(readPublicKey('CURVE_SECP256K1', key.compressed))
  return own === address ? key.uncompressed : undefined
}

function solanaSigner(address: string, message: Uint8Array, bytes: Uint8Array): string | undefined {
  const hex = solanaKeyOf(address)
  const key = hex === undefined ? undefined : ed25519VerifyKey(hex)
  return key !== undefined && verifyEd25519(key, message, bytes) ? hex : undefined
}
