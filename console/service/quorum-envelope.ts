import { fromHex, toHex, utf8 } from './bytes.ts'

const ECDH = { name: 'ECDH', namedCurve: 'P-256' } as const
const LABEL = utf8('qos_encryption_hmac_message')
const POINT_LENGTH_BYTE = Uint8Array.of(65)

/**
 * Encrypts a text to a key of the service, such as the secret of an application at an OAuth 2.0 provider.
 *
 * @param receiverHex  P-256, 65 bytes uncompressed
 * @returns            nonce (12 bytes) ‖ ephemeral public key (65) ‖ length (4, little-endian) ‖ ciphertext ‖ tag (16),
 *                     in hexadecimal; undefined where the receiver is no such key
 */
export async function sealQuorumEnvelope(text: string, receiverHex: string): Promise<string | undefined> {
  const receiver = fromHex(receiverHex)
  if (receiver?.length !== 65) return undefined
  const known = await crypto.subtle.importKey('raw', receiver, ECDH, false, []).catch(() => undefined)
  if (known === undefined) return undefined
  const pair = await crypto.subtle.generateKey(ECDH, false, ['deriveBits'])
  const ephemeral = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  const shared = await crypto.subtle.deriveBits({ name: 'ECDH', public: known }, pair.privateKey, 256)
  const key = await envelopeKey(joined(ephemeral, receiver, new Uint8Array(shared)))
  const nonce = crypto.getRandomValues(new Uint8Array(12))
  const additionalData = joined(ephemeral, POINT_LENGTH_BYTE, receiver, POINT_LENGTH_BYTE)
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce, additionalData }, key, utf8(text))
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, sealed.byteLength, true)
  return toHex(joined(nonce, ephemeral, length, new Uint8Array(sealed)))
}

/** What is secret is the key of the HMAC and the label is its message, and not the other way round. */
async function envelopeKey(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const hmac = { name: 'HMAC', hash: 'SHA-512' }
  const key = await crypto.subtle.importKey('raw', secret, hmac, false, ['sign'])
  const mac = await crypto.subtle.sign('HMAC', key, LABEL)
  return await crypto.subtle.importKey('raw', mac.slice(0, 32), 'AES-GCM', false, ['encrypt'])
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}
