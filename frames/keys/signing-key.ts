import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { signedTransaction } from '../../src/trusted/chains/ethereum/signed-transaction.ts'
import { transactionBytes } from '../../src/trusted/chains/ethereum/transaction-bytes.ts'
import { readUnsignedTransaction } from '../../src/trusted/chains/ethereum/unsigned-transaction.ts'
import { messageInBytes } from '../../src/trusted/chains/solana/message-in-bytes.ts'
import { readSignableTransaction } from '../../src/trusted/chains/solana/signable-transaction.ts'
import { eip191Digest } from '../../src/trusted/crypto/eip191.ts'
import type { ResourceSignature } from '../../src/trusted/crypto/signature.ts'
import type { Bytes } from '../bundles/p256-keys.ts'
import { notSigned } from '../failures.ts'
import { ethereumAddressOf, solanaAddressOf } from './address-of.ts'

/**
 * A key that a frame signs with for a page. Its bytes are in the memory of the frame: browsers sign with neither curve.
 */
export type SigningKey = {
  readonly type: 'ETHEREUM' | 'SOLANA'
  readonly address: string
  /** @returns the signature in hexadecimal; on Ethereum with `0x`, and with v of 27 or 28 */
  readonly signMessage: (message: string) => string
  /**
   * Signs a transaction that is read to its last byte.
   *
   * @param hex  the unsigned transaction, of either case, with or without `0x`
   * @returns    the signed one, on Ethereum with `0x`
   * @throws     Failure
   */
  readonly signTransaction: (hex: string) => string
}

/** A key of Ethereum; the key is kept by reference. @throws Failure `badKey` */
export function ethereumKey(secret: Bytes): SigningKey {
  const sign = (digest: Uint8Array): ResourceSignature => {
    const [recovery = 0, ...rs] = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' })
    const digits = bytesToHex(Uint8Array.from(rs))
    return { r: digits.slice(0, 64), s: digits.slice(64), v: recovery === 1 ? '01' : '00' }
  }
  return {
    type: 'ETHEREUM',
    address: ethereumAddressOf(secret),
    signMessage: (message) => {
      const { r, s, v } = sign(eip191Digest(utf8ToBytes(message)))
      return `0x${r}${s}${v === '01' ? '1c' : '1b'}`
    },
    signTransaction: (hex) => {
      const bytes = transactionBytes(hex)
      const transaction = readUnsignedTransaction(bytes)
      return `0x${bytesToHex(signedTransaction(transaction, sign(keccak_256(bytes))))}`
    },
  }
}

/** A key of Solana; the seed is kept by reference. */
export function solanaKey(seed: Bytes): SigningKey {
  const publicKey = ed25519.getPublicKey(seed)
  return {
    type: 'SOLANA',
    address: solanaAddressOf(seed),
    signMessage: (message) => {
      const bytes = utf8ToBytes(message)
      // The signature of such a message would be that of the transaction.
      if (messageInBytes(bytes) !== undefined)
        throw notSigned({ why: 'this message is a transaction; sign it as one' })
      return bytesToHex(ed25519.sign(bytes, seed))
    },
    signTransaction: (hex) => {
      const { bytes, signed } = readSignableTransaction(hex, publicKey)
      const signature = bytesToHex(ed25519.sign(bytes, seed))
      return signed({ r: signature.slice(0, 64), s: signature.slice(64), v: '00' })
    },
  }
}
