import type { Config } from '../../app/config.ts'
import { openStore } from '../../app/open-store.ts'
import { readOperatorFile } from '../../app/operator-file.ts'
import { realWorld } from '../../../trusted/base/real-world.ts'
import { OPERATOR_HEADER, ROTATION_PATH } from '../../http/operator-routes.ts'
import { carryOutRotation, type RotationOrder, type RotationState } from '../../rotation/rotation-orders.ts'
import { StoreError } from '../../store/store-error.ts'
import { UsageError } from '../usage.ts'

/** Asks the data itself, or the service that holds the embedded store: that belongs to one process. */
export async function askRotation(config: Config, order: RotationOrder): Promise<RotationState> {
  try {
    const store = await openStore(config)
    try {
      return await carryOutRotation(store, order, { now: realWorld.now() })
    } finally {
      await store.close()
    }
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== 'inUse') throw error
    return await askService(config, order, error)
  }
}

/** @param inUse  thrown where no service has the embedded store of this configuration */
export async function askService(config: Config, order: RotationOrder, inUse: Error): Promise<RotationState> {
  const service = readOperatorFile(config)
  if (service === undefined) throw inUse
  const response = await fetch(`${service.url}${ROTATION_PATH}`, {
    method: 'POST',
    headers: { [OPERATOR_HEADER]: service.key },
    body: JSON.stringify(order),
  })
  if (!response.ok) throw new UsageError(`the running service answered ${response.status}`)
  // What it answers is what `carryOutRotation` made there.
  return (await response.json()) as RotationState
}
