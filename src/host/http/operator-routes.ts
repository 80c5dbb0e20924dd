import { hash, timingSafeEqual } from 'node:crypto'
import { METHODS } from 'node:http'
import { defineFailure, INVALID_ARGUMENT } from '../../trusted/base/failure.ts'
import { readJsonObject } from '../../trusted/base/strict-json.ts'
import { type Order, type OrderAnswer, readOrder } from '../delivery/operator-commands.ts'
import type { Route } from './route.ts'
import { noSuchOperation } from './unrouted.ts'

export const OPERATOR_PATH = '/operator/deliveries'
export const OPERATOR_HEADER = 'x-claviger-operator'

const noSuchOrder = defineFailure({
  kind: 'noSuchOrder',
  code: INVALID_ARGUMENT,
  say: () => 'invalid order: this service knows none of this form; use the claviger of its own version',
})

/**
 * What `claviger webhooks` asks of the service that holds the embedded store. The key lies in a file beside the store, so that it
 * opens nothing to anybody who could not open the store itself; without it there is nothing here.
 */
export function operatorRoutes(
  key: string,
  carryOut: (order: Order) => Promise<OrderAnswer>,
): ReadonlyMap<string, Route> {
  const hidden = (method: string): Route => {
    return async () => {
      throw noSuchOperation({ method, path: OPERATOR_PATH })
    }
  }
  return new Map<string, Route>([
    // That another method would be allowed tells that there is something.
    ...METHODS.map((method) => [`${method} ${OPERATOR_PATH}`, hidden(method)] as const),
    [
      `POST ${OPERATOR_PATH}`,
      async ({ headers, body }) => {
        if (!isSame(headers[OPERATOR_HEADER]?.join(',') ?? '', key))
          throw noSuchOperation({ method: 'POST', path: OPERATOR_PATH })
        return { kind: 'ok', body: JSON.stringify(await carryOut(orderIn(body))) }
      },
    ],
  ])
}

/** The command line that asks may be of another version than the service. */
function orderIn(body: Uint8Array): Order {
  const order = readOrder(readJsonObject(body))
  if (order === undefined) throw noSuchOrder()
  return order
}

/** Through hashes, so that neither content nor length shows in the time it takes. */
function isSame(given: string, key: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', key, 'buffer'))
}
