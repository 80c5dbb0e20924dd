import { readP256Key } from '../../../trusted/crypto/p256.ts'
import { answerTo, type Caller, isSuccess } from '../signed-query.ts'

/**
 * The public key with which the service signs its exports, according to the service; undefined if it names none.
 * It is read once, when a key file is written, so that a later answer cannot replace it.
 *
 * @throws ServiceUnreachable
 */
export async function signerOf({ baseUrl }: Caller): Promise<string | undefined> {
  const { status, json: keys } = await answerTo(`${baseUrl}/public/v1/discovery/keys`, {})
  if (!isSuccess(status)) return undefined
  const signer = typeof keys === 'object' && keys !== null && 'signer' in keys ? keys.signer : undefined
  return typeof signer === 'string' && readP256Key(signer) !== undefined ? signer : undefined
}
