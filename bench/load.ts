// The load generator, a process of its own: prepares its requests, waits to be told, sends, and reports.
import { preparedLogins, type LoginOrder } from './load-logins.ts'
import { preparedSignatures, type SignatureOrder } from './load-signatures.ts'
import { type Offer, offered } from './offer.ts'

export type LoadOrder = Omit<Offer, 'next' | 'count'> & (SignatureOrder | LoginOrder)

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
  return order.load === 'signatures' ? preparedSignatures(order) : await preparedLogins(order)
}
