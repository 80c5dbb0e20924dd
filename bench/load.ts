// The load generator, a process of its own: prepares its requests, waits to be told, sends, and reports.
import { type ActivityOrder, preparedActivities } from './load-activities.ts'
import { type ListOrder, preparedLists } from './load-lists.ts'
import { preparedLogins, type LoginOrder } from './load-logins.ts'
import { type PeerOrder, preparedForPeer } from './peers/load-peer.ts'
import { preparedSignatures, type SignatureOrder } from './load-signatures.ts'
import { type Offer, offered } from './offer.ts'

export type LoadOrder = Omit<Offer, 'next' | 'count'> &
  (SignatureOrder | ActivityOrder | ListOrder | LoginOrder | PeerOrder)

process.once('message', (order: LoadOrder) => {
  void prepared(order).then((tasks) => {
    process.send?.('ready')
    process.once('message', () => {
      void offered({ ...order, ...tasks }).then((report) => {
        process.send?.(report, () => process.exit(0))
      })
    })
  })
})

async function prepared(order: LoadOrder): Promise<Pick<Offer, 'next' | 'count'>> {
  switch (order.load) {
    case 'signatures':
      return preparedSignatures(order)
    case 'activities':
      return preparedActivities(order)
    case 'lists':
      return preparedLists(order)
    case 'peer':
      return preparedForPeer(order)
    case 'logins':
      return await preparedLogins(order)
  }
}
