import { readP256Key } from '../../../trusted/crypto/p256.ts'
import type { Caller } from '../signed-query.ts'

/**
 * The public key with which the service signs its exports, according to the service; undefined if it does not answer.
 * It is read once, when a key file is written, so that a later answer cannot replace it.
 */
export async function signerOf({ baseUrl }: Caller): Promise<string | undefined> {
  const answer = await fetch(`${baseUrl}/public/v1/discovery/keys`, { redirect: 'error' })
  if (!answer.ok) return undefined
  const keys: unknown = await answer.json()
  const signer = typeof keys === 'object' && keys !== null && 'signer' in keys ? keys.signer : undefined
  return typeof signer === 'string' && readP256Key(signer) !== undefined ? signer : undefined
}
