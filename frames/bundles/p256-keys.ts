import { p256 } from '@noble/curves/nist.js'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { badKey } from '../failures.ts'

/** Bytes that WebCrypto takes: their memory is shared with nothing. */
export type Bytes = Uint8Array<ArrayBuffer>

export async function importPublicKey(uncompressed: Bytes): Promise<CryptoKey> {
  return await crypto.subtle.importKey('raw', uncompressed, { name: 'ECDH', namedCurve: 'P-256' }, true, [])
}

/** 65 bytes uncompressed. */
export async function rawPublicKey(key: CryptoKey): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.exportKey('raw', key))
}

/**
 * A scalar as a key that no script can read again. Script had the bytes before, so this protects from what comes later.
 *
 * @param scalar  32 bytes; the caller wipes it
 * @throws        Failure `badKey`
 */
export async function importPrivateKey(
  scalar: Uint8Array,
  use: 'sign' | 'decrypt',
): Promise<{ readonly privateKey: CryptoKey; readonly publicKey: Bytes }> {
  if (!p256.utils.isValidSecretKey(scalar)) throw badKey({ why: 'it is no key of P-256' })
  const publicKey = p256.getPublicKey(scalar, false) as Bytes // noble makes it anew
  const pkcs8 = concatBytes(PKCS8_START, scalar, PKCS8_PUBLIC, publicKey) as Bytes
  const algorithm = { name: use === 'sign' ? 'ECDSA' : 'ECDH', namedCurve: 'P-256' }
  const usages: KeyUsage[] = [use === 'sign' ? 'sign' : 'deriveBits']
  const privateKey = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, usages)
  pkcs8.fill(0)
  return { privateKey, publicKey }
}

// RFC 5208 with the EC key of RFC 5915 on P-256: everything before the scalar, and between it and the public key.
const PKCS8_START = hexToBytes('308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420')
const PKCS8_PUBLIC = hexToBytes('a144034200')
