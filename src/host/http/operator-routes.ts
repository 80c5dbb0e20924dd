import { hash, timingSafeEqual } from 'node:crypto'
import { METHODS } from 'node:http'
import { defineFailure, INVALID_ARGUMENT } from '../../trusted/base/failure.ts'
import { readJsonObject } from '../../trusted/base/strict-json.ts'
import type { Route } from './route.ts'
import { noSuchOperation } from './unrouted.ts'

/** Where a service with the embedded store takes orders of `claviger webhooks`, `root-key` and `quota`. */
export const OPERATOR_PATH = '/operator/deliveries'
export const ROTATION_PATH = '/operator/root-keys'
export const QUOTA_PATH = '/operator/quotas'
export const OPERATOR_HEADER = 'x-claviger-operator'

const noSuchOrder = defineFailure({
  kind: 'noSuchOrder',
  code: INVALID_ARGUMENT,
  say: () => 'invalid order: this service knows none of this form; use the claviger of its own version',
})

/** The orders that an operator can send to one path. */
type Asked<Order> = {
  readonly path: string
  readonly read: (given: { readonly [name: string]: unknown }) => Order | undefined
  readonly carryOut: (order: Order) => Promise<object>
}

/**
 * The route for the orders of an operator at one path. The key is in a file beside the store, so it grants access only
 * to users who can open the store itself. Without the key the route looks absent.
 */
export function orderRoutes<Order>(
  key: string,
  { path, read, carryOut }: Asked<Order>,
): ReadonlyMap<string, Route> {
  const hidden = (method: string): Route => {
    return async () => {
      throw noSuchOperation({ method, path })
    }
  }
  return new Map<string, Route>([
    // Other methods are hidden too, because an answer of 405 would reveal the route.
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

/** Compares hashes, so that the time reveals neither content nor length. */
function isSame(given: string, key: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', key, 'buffer'))
}
