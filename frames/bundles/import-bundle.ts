import { bytesToHex } from '@noble/hashes/utils.js'
import { badBundle } from '../failures.ts'
import { seal } from './hpke.ts'
import { type Bytes, importPublicKey } from './p256-keys.ts'
import { bytesOf, verifiedEnvelope } from './verified-envelope.ts'

/**
 * The key to encrypt an import to, of a bundle that this service signed for this organization and user.
 *
 * @throws Failure `badBundle`
 */
export async function readImportTarget(
  bundle: string,
  expected: { readonly signerKey: string; readonly organizationId: string; readonly userId: string },
): Promise<Bytes> {
  const target = bytesOf(verifiedEnvelope(bundle, expected)('targetPublic'), 'targetPublic')
  // The service is told, before anything is typed for nothing.
  await importPublicKey(target).catch(() => {
    throw badBundle({ why: '"targetPublic" is not a key' })
  })
  return target
}

/** What the service takes as the encrypted bundle of an import. */
export async function encryptedImport(target: Bytes, plaintext: Bytes): Promise<string> {
  const { encappedPublic, ciphertext } = await seal(target, plaintext)
  return JSON.stringify({ encappedPublic: bytesToHex(encappedPublic), ciphertext: bytesToHex(ciphertext) })
}
