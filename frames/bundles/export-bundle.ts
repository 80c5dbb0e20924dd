import { badBundle } from '../failures.ts'
import { open } from './hpke.ts'
import type { Bytes } from './p256-keys.ts'
import { bytesOf, verifiedEnvelope } from './verified-envelope.ts'

/**
 * Opens a bundle of an export: signed by this service, for this organization, and encrypted to this key.
 *
 * @returns the plaintext; the caller wipes it
 * @throws  Failure `badBundle`
 */
export async function openExportBundle(
  bundle: string,
  expected: { readonly signerKey: string; readonly organizationId: string },
  receiver: { readonly privateKey: CryptoKey; readonly publicKey: Bytes },
): Promise<Bytes> {
  const content = verifiedEnvelope(bundle, expected)
  const encappedPublic = bytesOf(content('encappedPublic'), 'encappedPublic')
  const ciphertext = bytesOf(content('ciphertext'), 'ciphertext')
  const plaintext = await open(receiver, { encappedPublic, ciphertext })
  if (plaintext === undefined)
    throw badBundle({ why: 'it is encrypted to another key than the embedded key of this frame' })
  return plaintext
}
