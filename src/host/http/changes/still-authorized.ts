import { errorBody, type ErrorBody, Failure } from '../../../trusted/base/failure.ts'
import { isOwnError } from '../../link/own-error.ts'
import type { Host } from '../../pipeline/host.ts'
import { type Asked, signerOf } from '../../pipeline/signer-of.ts'

/**
 * Identifies the stamp or session again. First with cached charters, without using the store; a refusal is final only
 * after they have been read again.
 *
 * @returns  the reason why a stream ends; undefined where it continues
 */
export async function refusalNow(
  host: Pick<Host, 'charters' | 'vault'>,
  asked: Asked,
  organizationId: string,
): Promise<ErrorBody | undefined> {
  const { charters, vault } = host
  const remembered: Pick<Host['charters'], 'get' | 'offer'> = {
    get: (id) => charters.get(id, false),
    offer: (row, whole) => charters.offer(row, whole),
  }
  if ((await kindOfSigner({ charters: remembered, vault }, asked, organizationId)) === 'signer')
    return undefined
  try {
    const identified = await signerOf(host, asked, organizationId)
    return identified.kind === 'refused' ? identified.error : undefined
  } catch (error) {
    if (error instanceof Failure) return errorBody(error)
    throw error
  }
}

/** The cache may be older than the state that the vault knows; the result is then undecided. */
async function kindOfSigner(...of: Parameters<typeof signerOf>): Promise<'signer' | 'unclear'> {
  try {
    return (await signerOf(...of)).kind === 'signer' ? 'signer' : 'unclear'
  } catch (error) {
    if (isOwnError(error)) return 'unclear'
    throw error
  }
}
