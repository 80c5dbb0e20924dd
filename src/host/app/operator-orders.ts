import { realWorld } from '../../trusted/base/real-world.ts'
import { carryOutOrder, readOrder } from '../delivery/operator-commands.ts'
import { OPERATOR_PATH, orderRoutes, QUOTA_PATH, ROTATION_PATH } from '../http/operator-routes.ts'
import type { Route } from '../http/route.ts'
import { carryOutQuotas, readQuotaOrder } from '../quotas/quota-orders.ts'
import { carryOutRotation, readRotationOrder } from '../rotation/rotation-orders.ts'
import type { ServiceParts } from './service-parts.ts'

/** The routes for the orders of the command line to the service that holds the store. */
export function operatorOrders(
  { store, vault, running }: Pick<ServiceParts, 'store' | 'vault' | 'running'>,
  key: string,
): ReadonlyMap<string, Route> {
  return new Map([
    ...orderRoutes(key, {
      path: OPERATOR_PATH,
      read: readOrder,
      carryOut: async (order) => {
        const answer = await carryOutOrder(store, order, realWorld.now())
        running.delivery?.wake()
        return answer
      },
    }),
    ...orderRoutes(key, {
      path: QUOTA_PATH,
      read: readQuotaOrder,
      carryOut: (order) => carryOutQuotas(store, order, realWorld.now()),
    }),
    ...orderRoutes(key, {
      path: ROTATION_PATH,
      read: readRotationOrder,
      carryOut: async (order) => {
        const { rotation } = running
        const asked = { now: realWorld.now(), self: rotation?.self(), vault: vault.vault }
        const answer = await carryOutRotation(store, order, asked)
        running.rotation?.wake()
        return answer
      },
    }),
  ])
}
