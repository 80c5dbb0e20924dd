import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Bytes } from './p256-keys.ts'
import { importPublicKey, rawPublicKey } from './p256-keys.ts'

/**
 * RFC 9180 in base mode, one message: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM, with WebCrypto, so that the
 * key of a receiver need not be extractable. The profile of the interface: `turnkey_hpke` as info, and both public keys
 * as associated data.
 */
type Sealed = { readonly encappedPublic: Bytes; readonly ciphertext: Bytes }

/** @param receiver  public key, 65 bytes uncompressed */
export async function seal(receiver: Bytes, plaintext: Bytes): Promise<Sealed> {
  const ephemeral = await crypto.subtle.generateKey(ECDH, false, ['deriveBits'])
  const encappedPublic = await rawPublicKey(ephemeral.publicKey)
  const shared = await sharedX(ephemeral.privateKey, receiver)
  const { key, iv } = await keySchedule(shared, { encappedPublic, receiver })
  const additionalData = concatBytes(encappedPublic, receiver) as Bytes
  const ciphertext = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, plaintext)
  return { encappedPublic, ciphertext: new Uint8Array(ciphertext) }
}

/**
 * @param receiver  the private key, and its public key in 65 bytes uncompressed
 * @returns         the plaintext, which the caller wipes; undefined where the message does not open
 */
export async function open(
  receiver: { readonly privateKey: CryptoKey; readonly publicKey: Bytes },
  { encappedPublic, ciphertext }: Sealed,
): Promise<Bytes | undefined> {
  try {
    const shared = await sharedX(receiver.privateKey, encappedPublic)
    const { key, iv } = await keySchedule(shared, { encappedPublic, receiver: receiver.publicKey })
    const additionalData = concatBytes(encappedPublic, receiver.publicKey) as Bytes
    return new Uint8Array(
      await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, ciphertext),
    )
  } catch (error) {
    // What WebCrypto throws for a key that is no point, and for a tag that does not fit.
    if (error instanceof DOMException) return undefined
    throw error
  }
}

const ECDH = { name: 'ECDH', namedCurve: 'P-256' } as const

async function sharedX(privateKey: CryptoKey, publicKey: Bytes): Promise<Bytes> {
  const algorithm = { name: 'ECDH', public: await importPublicKey(publicKey) }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, privateKey, 256))
}

/**
 * RFC 9180, section 4.1, ExtractAndExpand, and section 5.1, KeySchedule; the nonce is that of the first and only
 * message.
 */
async function keySchedule(
  dh: Bytes,
  { encappedPublic, receiver }: { readonly encappedPublic: Bytes; readonly receiver: Bytes },
): Promise<{ readonly key: CryptoKey; readonly iv: Bytes }> {
  const kem = labeled(KEM_SUITE)
  const suite = labeled(HPKE_SUITE)
  const context = concatBytes(encappedPublic, receiver)
  const shared = await kem.expand(await kem.extract(EMPTY, 'eae_prk', dh), 'shared_secret', context, 32)
  const pskIdHash = await suite.extract(EMPTY, 'psk_id_hash', EMPTY)
  const infoHash = await suite.extract(EMPTY, 'info_hash', INFO)
  const schedule = concatBytes(MODE_BASE, pskIdHash, infoHash)
  const secret = await suite.extract(shared, 'secret', EMPTY)
  const key = await suite.expand(secret, 'key', schedule, 32)
  const iv = await suite.expand(secret, 'base_nonce', schedule, 12)
  const imported = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt'])
  for (const bytes of [dh, shared, secret, key]) bytes.fill(0)
  return { key: imported, iv }
}

/** RFC 9180, section 4: LabeledExtract and LabeledExpand of a suite. No output is longer than one hash. */
function labeled(suite: Uint8Array) {
  return {
    extract: (salt: Bytes, label: string, input: Uint8Array) =>
      hmac(salt, concatBytes(VERSION, suite, utf8ToBytes(label), input)),
    expand: async (key: Bytes, label: string, info: Uint8Array, length: number) => {
      const prefix = concatBytes(Uint8Array.of(0, length), VERSION, suite, utf8ToBytes(label))
      return (await hmac(key, concatBytes(prefix, info, Uint8Array.of(1)))).slice(0, length)
    },
  }
}

async function hmac(key: Bytes, message: Uint8Array): Promise<Bytes> {
  // HMAC fills a key up with zeros, and WebCrypto takes no empty one.
  const bytes = key.length === 0 ? new Uint8Array(32) : key
  const imported = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, message as Bytes))
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const
const EMPTY = new Uint8Array(0)
const MODE_BASE = Uint8Array.of(0x00) // RFC 9180, table 1
const INFO = utf8ToBytes('turnkey_hpke')
const VERSION = utf8ToBytes('HPKE-v1')
const KEM_SUITE = concatBytes(utf8ToBytes('KEM'), Uint8Array.of(0x00, 0x10)) // section 4.1
const HPKE_SUITE = concatBytes(utf8ToBytes('HPKE'), Uint8Array.of(0x00, 0x10, 0x00, 0x01, 0x00, 0x02)) // section 5.1
