import type { Offer } from './offer.ts'
import { apiPrivateKey } from './raw-limits.ts'
import type { Signer } from './service.ts'
import { stamped } from './stamped.ts'

export type ListOrder = {
  readonly load: 'lists'
  readonly requests: number
  readonly as: Signer
  /** Records in each page. */
  readonly limit: number
}

/** Pages of the newest activities, stamped beforehand. */
export function preparedLists({ requests, as, limit }: ListOrder): Pick<Offer, 'next' | 'count'> {
  const stamper = { publicKey: as.publicKey, key: apiPrivateKey(Buffer.from(as.privateKey, 'hex')) }
  const body = { organizationId: as.organizationId, paginationOptions: { limit: String(limit) } }
  const request = stamped('list_activities', body, stamper, 'query')
  return {
    count: requests,
    next: (_, answer) => (answer === undefined ? request : undefined),
  }
}
