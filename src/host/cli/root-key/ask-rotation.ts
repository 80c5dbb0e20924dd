import type { Config } from '../../app/config.ts'
import { ROTATION_PATH } from '../../http/operator-routes.ts'
import { carryOutRotation, type RotationOrder, type RotationState } from '../../rotation/rotation-orders.ts'
import { askData } from '../ask-data.ts'

/** Asks the data itself, or the service that holds the embedded store. */
export async function askRotation(config: Config, order: RotationOrder): Promise<RotationState> {
  return await askData<RotationOrder, RotationState>(config, order, {
    path: ROTATION_PATH,
    carryOut: (store, asked, now) => carryOutRotation(store, asked, { now }),
  })
}
