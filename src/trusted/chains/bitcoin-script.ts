import { assert } from '../base/assert.ts'
import { concat } from '../base/bytes.ts'
import { isScalar, SECP256K1_ORDER } from '../crypto/scalar.ts'
import { nativeBackend, nobleBackend } from '../crypto/secp256k1-backend.ts'
import { taggedHash } from '../crypto/tagged-hash.ts'
import { hash160 } from './hash160.ts'

const OP_0 = 0x00
const OP_CHECKSIG = 0xac

/**
 * The redeem script behind a P2SH address of ours: the witness program of BIP-141 nested as BIP-49 does,
 * OP_0 ‖ push of HASH160(key), 22 bytes. Why this one: docs/decisions/bitcoin-scripts.md.
 *
 * @param publicKey  33 bytes, compressed
 */
export function p2shRedeemScript(publicKey: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(OP_0, 20), hash160(publicKey))
}

/**
 * The witness script behind a P2WSH address of ours: push of the key ‖ OP_CHECKSIG, 35 bytes, `wsh(pk(key))` as an
 * output descriptor (BIP-382). Why this one: docs/decisions/bitcoin-scripts.md.
 *
 * @param publicKey  33 bytes, compressed
 */
export function p2wshWitnessScript(publicKey: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(33), publicKey, Uint8Array.of(OP_CHECKSIG))
}

/**
 * The taproot output key of a key without a script tree: x of lift_x(key) + H_TapTweak(x of key)·G, 32 bytes.
 *
 * @param publicKey  33 bytes, compressed; its parity is ignored
 * @see              BIP-341, "Constructing and spending Taproot outputs"; BIP-86
 */
export function taprootOutputKey(publicKey: Uint8Array): Uint8Array {
  const internalKey = publicKey.subarray(1)
  const tweak = taggedHash('TapTweak', internalKey)
  assert(isScalar(tweak, SECP256K1_ORDER), 'a hash lies within the order of the group')
  const evenPoint = concat(Uint8Array.of(2), internalKey)
  return (nativeBackend ?? nobleBackend).plus(evenPoint, tweak).subarray(1)
}
