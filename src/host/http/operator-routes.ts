import { hash, timingSafeEqual } from 'node:crypto'
import { METHODS } from 'node:http'
import { defineFailure, INVALID_ARGUMENT } from '../../trusted/base/failure.ts'
import { readJsonObject } from '../../trusted/base/strict-json.ts'
import { type Order, type OrderAnswer, readOrder } from '../delivery/operator-commands.ts'
import { type QuotaAnswer, type QuotaOrder, readQuotaOrder } from '../quotas/quota-orders.ts'
import { readRotationOrder, type RotationOrder, type RotationState } from '../rotation/rotation-orders.ts'
import type { Route } from './route.ts'
import { noSuchOperation } from './unrouted.ts'

export const OPERATOR_PATH = '/operator/deliveries'
export const ROTATION_PATH = '/operator/root-keys'
export const QUOTA_PATH = '/operator/quotas'
export const OPERATOR_HEADER = 'x-claviger-operator'

const noSuchOrder = defineFailure({
  kind: 'noSuchOrder',
  code: INVALID_ARGUMENT,
  say: () => 'invalid order: this service knows none of this form; use the claviger of its own version',
})

/** What an operator may ask at one path, each time with an order of its own kind. */
type Asked<Order> = {
  readonly path: string
  readonly read: (given: { readonly [name: string]: unknown }) => Order | undefined
  readonly carryOut: (order: Order) => Promise<object>
}

/** What `claviger webhooks` asks of the service that holds the embedded store. */
export function operatorRoutes(
  key: string,
  carryOut: (order: Order) => Promise<OrderAnswer>,
): ReadonlyMap<string, Route> {
  return routesOf(key, { path: OPERATOR_PATH, read: readOrder, carryOut })
}

/** What `claviger root-key` asks of it. */
export function rotationRoutes(
  key: string,
  carryOut: (order: RotationOrder) => Promise<RotationState>,
): ReadonlyMap<string, Route> {
  return routesOf(key, { path: ROTATION_PATH, read: readRotationOrder, carryOut })
}

/** What `claviger quota` asks of it. */
export function quotaRoutes(
  key: string,
  carryOut: (order: QuotaOrder) => Promise<QuotaAnswer>,
): ReadonlyMap<string, Route> {
  return routesOf(key, { path: QUOTA_PATH, read: readQuotaOrder, carryOut })
}

/**
 * The key lies in a file beside the store, so that it opens nothing to anybody who could not open the store itself; without it there
 * is nothing here.
 */
function routesOf<Order>(key: string, { path, read, carryOut }: Asked<Order>): ReadonlyMap<string, Route> {
  const hidden = (method: string): Route => {
    return async () => {
      throw noSuchOperation({ method, path })
    }
  }
  return new Map<string, Route>([
    // That another method would be allowed tells that there is something.
    ...METHODS.map((method) => [`${method} ${path}`, hidden(method)] as const),
    [
      `POST ${path}`,
      async ({ headers, body }) => {
        if (!isSame(headers[OPERATOR_HEADER]?.join(',') ?? '', key))
          throw noSuchOperation({ method: 'POST', path })
        // The command line that asks may be of another version than the service.
        const order = read(readJsonObject(body))
        if (order === undefined) throw noSuchOrder()
        return { kind: 'ok', body: JSON.stringify(await carryOut(order)) }
      },
    ],
  ])
}

/** Through hashes, so that neither content nor length shows in the time it takes. */
function isSame(given: string, key: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', key, 'buffer'))
}
