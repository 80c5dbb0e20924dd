import { hash, timingSafeEqual } from 'node:crypto'
import { asBuffer } from '../base/bytes.ts'
import type { Order, OrderAnswer } from '../delivery/desk.ts'
import { noSuchOperation, type Route } from './server.ts'

export const OPERATOR_PATH = '/operator/deliveries'
export const OPERATOR_HEADER = 'x-claviger-operator'

/**
 * What `claviger webhooks` asks of the service that holds the embedded store. The key lies in a file beside the store, so that it
 * opens nothing to anybody who could not open the store itself; without it there is nothing here.
 */
export function operatorRoutes(
  key: string,
  carryOut: (order: Order) => Promise<OrderAnswer>,
): ReadonlyMap<string, Route> {
  return new Map<string, Route>([
    [
      `POST ${OPERATOR_PATH}`,
      async ({ headers, body }) => {
        if (!isSame(headers[OPERATOR_HEADER]?.join(',') ?? '', key))
          throw noSuchOperation({ method: 'POST', path: OPERATOR_PATH })
        // Only our own command line knows the key, and it writes an order.
        const order = JSON.parse(asBuffer(body).toString('utf8')) as Order
        return { kind: 'ok', body: JSON.stringify(await carryOut(order)) }
      },
    ],
  ])
}

/** Through hashes, so that neither content nor length shows in the time it takes. */
function isSame(given: string, key: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', key, 'buffer'))
}
