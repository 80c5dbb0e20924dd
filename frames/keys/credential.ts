import { p256 } from '@noble/curves/nist.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import { type Bytes, importPrivateKey } from '../bundles/p256-keys.ts'

/** A key that stamps requests, and that no script can read. It lives as long as the page of the frame. */
export type Credential = {
  /** The value of `X-Stamp` for this body. */
  readonly stamp: (body: string) => Promise<string>
}

/** @param scalar  32 bytes; the caller wipes it */
export async function importCredential(scalar: Bytes): Promise<Credential> {
  const { privateKey, publicKey } = await importPrivateKey(scalar, 'sign')
  const compressed = bytesToHex(p256.Point.fromBytes(publicKey).toBytes(true))
  return {
    stamp: async (body) => {
      const bytes = utf8ToBytes(body) as Bytes // noble makes it anew
      const signed = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytes)
      const signature = p256.Signature.fromBytes(new Uint8Array(signed), 'compact').toBytes('der')
      const stamp = {
        publicKey: compressed,
        scheme: 'SIGNATURE_SCHEME_TK_API_P256',
        signature: bytesToHex(signature),
      }
      return base64urlnopad.encode(utf8ToBytes(JSON.stringify(stamp)))
    },
  }
}
