import { Bug } from '../../../trusted/base/assert.ts'
import { errorBody, type ErrorBody, Failure } from '../../../trusted/base/failure.ts'
import type { Host } from '../../pipeline/host.ts'
import { type Asked, signerOf } from '../../pipeline/signer-of.ts'

/**
 * Asks the vault anew whose stamp or session this is. First on the charters that this host remembers, which costs the store
 * nothing; a refusal is believed only when they have been read anew.
 *
 * @returns  why a stream ends; undefined where it goes on
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

/** What is remembered may be older than the vault has seen: then nothing is said yet. */
async function kindOfSigner(...of: Parameters<typeof signerOf>): Promise<'signer' | 'unclear'> {
  try {
    return (await signerOf(...of)).kind === 'signer' ? 'signer' : 'unclear'
  } catch (error) {
    if (error instanceof Failure || error instanceof Bug) return 'unclear'
    throw error
  }
}
