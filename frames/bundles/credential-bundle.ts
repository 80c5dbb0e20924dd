import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { badBundle } from '../failures.ts'
import { open } from './hpke.ts'
import type { Bytes } from './p256-keys.ts'

/**
 * Opens the credential of a log-in by mail or by another service. Nothing signs it and it names no organization: a
 * stranger who knows the embedded key can make one, so it proves nothing about the one that sent it.
 *
 * @returns the scalar of the credential, 32 bytes; the caller wipes it
 * @throws  Failure `badBundle`
 */
export async function openCredentialBundle(
  bundle: string,
  receiver: { readonly privateKey: CryptoKey; readonly publicKey: Bytes },
): Promise<Bytes> {
  const bytes = decoded(bundle)
  const encappedPublic = uncompressed(bytes.subarray(0, COMPRESSED_BYTES))
  const scalar = await open(receiver, { encappedPublic, ciphertext: bytes.slice(COMPRESSED_BYTES) })
  if (scalar === undefined)
    throw badBundle({ why: 'it is encrypted to another key than the embedded key of this frame' })
  return scalar
}

const COMPRESSED_BYTES = 33
const BYTES = COMPRESSED_BYTES + 32 + 16
const LENGTH_MAX = 256
const base58check = createBase58check(sha256)

function decoded(bundle: string): Bytes {
  if (bundle.length > LENGTH_MAX) throw badBundle({ why: `it is longer than ${LENGTH_MAX} characters` })
  try {
    const bytes = base58check.decode(bundle)
    if (bytes.length === BYTES) return Uint8Array.from(bytes)
  } catch {
    // The same answer as for one of another length.
  }
  throw badBundle({ why: 'it is not a credential bundle in base58 with its checksum' })
}

function uncompressed(point: Uint8Array): Bytes {
  try {
    return p256.Point.fromBytes(point).toBytes(false) as Bytes // noble makes it anew
  } catch {
    throw badBundle({ why: 'it does not begin with a key' })
  }
}
