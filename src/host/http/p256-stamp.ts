import { toBase64url, toHex, utf8 } from '../../trusted/base/bytes.ts'
import { signP256Message } from '../../trusted/crypto/p256.ts'
import type { Signer } from '../../trusted/crypto/signature.ts'

/** The `X-Stamp` header of an API key of P-256 over these bytes. */
export function p256Stamp(signer: Signer, body: Uint8Array): string {
  return p256StampOf(signer.publicKey, toHex(signP256Message(signer, body)))
}

/** @param signature  hexadecimal of a DER signature over the bytes that are stamped */
export function p256StampOf(publicKey: string, signature: string): string {
  const stamp = { publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }
  return toBase64url(utf8(JSON.stringify(stamp)))
}
