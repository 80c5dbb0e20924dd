import { fromHex } from '../../../trusted/base/bytes.ts'
import { Failure } from '../../../trusted/base/failure.ts'
import { isJsonObject, type JsonObject, readJson } from '../../../trusted/base/strict-json.ts'
import { openClientBundle } from '../../../trusted/crypto/bundles.ts'
import { p256VerifyKey, readP256Key, verifyP256 } from '../../../trusted/crypto/p256.ts'
import { ServiceError } from '../signed-query.ts'

/**
 * Opens an export of the service to a key of ours.
 *
 * @param bundle           as `exportBundle` of the vault makes it
 * @param of.signerPublicKey  of the service, known beforehand: the key that the bundle itself names proves nothing
 * @param of.secret        of the key that it was encrypted to
 * @returns                the plaintext; the caller wipes it
 * @throws                 ServiceError  if it is not signed by the service, is for another organization, or does not
 *                         open
 */
export function openExportBundle(
  bundle: string,
  of: { readonly signerPublicKey: string; readonly organizationId: string; readonly secret: Uint8Array },
): Uint8Array {
  try {
    return openedBundle(bundle, of)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new ServiceError(`the answer of the export does not open: ${error.message}`)
  }
}

function openedBundle(
  bundle: string,
  of: { readonly signerPublicKey: string; readonly organizationId: string; readonly secret: Uint8Array },
): Uint8Array {
  const { data, dataSignature } = objectIn(Buffer.from(bundle))
  const signed = hexIn(data)
  const signer = readP256Key(of.signerPublicKey)?.compressed
  const key = signer === undefined ? undefined : p256VerifyKey(signer)
  if (key === undefined) throw new ServiceError('SIGNER_PUBLIC_KEY is not a P-256 public key')
  if (!verifyP256(key, signed, hexIn(dataSignature)))
    throw new ServiceError(
      'the exported bundle is not signed by the service: its signer is not SIGNER_PUBLIC_KEY',
    )
  const { organizationId, encappedPublic, ciphertext } = objectIn(signed)
  if (organizationId !== of.organizationId)
    throw new ServiceError('the exported bundle is for another organization')
  return openClientBundle(JSON.stringify({ encappedPublic, ciphertext }), of.secret)
}

function objectIn(bytes: Uint8Array): JsonObject {
  const json = readJson(bytes)
  if (!isJsonObject(json)) throw new ServiceError('the answer of the export is not a bundle')
  return json
}

function hexIn(value: unknown): Uint8Array {
  const bytes = typeof value === 'string' ? fromHex(value) : undefined
  if (bytes === undefined) throw new ServiceError('the answer of the export is not a bundle')
  return bytes
}
