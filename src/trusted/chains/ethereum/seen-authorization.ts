import { caseless } from '../../base/caseless.ts'
import { checksummed } from '../../crypto/eip55.ts'
import type { SeenFields } from '../transaction.ts'
import type { Authorization } from './eip7702.ts'

/** `eth.eip_7702_authorization` of the policy language. A chain id of 0 means every chain, and is shown as 0. */
export function seenAuthorization({ address, chainId, nonce }: Authorization): SeenFields {
  return { address: caseless(checksummed(address)), chain_id: chainId, nonce }
}
