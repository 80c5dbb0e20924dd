import { realWorld } from '../../trusted/base/real-world.ts'
import type { Ms } from '../../trusted/base/world.ts'
import type { Config } from '../app/config.ts'
import { openStore } from '../app/open-store.ts'
import { readOperatorFile } from '../app/operator-file.ts'
import { OPERATOR_HEADER } from '../http/operator-routes.ts'
import type { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import { progress } from './progress.ts'
import { refusedBy } from './signed-query.ts'

/**
 * Carries out an order on the data itself, or through the service that holds the embedded store, because only one
 * process can hold it.
 *
 * @param path  the path of the service for orders of this kind; its answer is that of `carryOut` there
 */
export async function askData<Order, Answer>(
  config: Config,
  order: Order,
  {
    path,
    carryOut,
  }: {
    readonly path: string
    readonly carryOut: (store: Store, order: Order, now: Ms) => Promise<Answer>
  },
): Promise<Answer> {
  try {
    const store = await openStore(config)
    try {
      return await carryOut(store, order, realWorld.now())
    } finally {
      await store.close()
    }
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== 'inUse') throw error
    return (await askService(config, path, order, error)) as Answer
  }
}

/** @param inUse  thrown if no service holds the embedded store of this configuration */
export async function askService(
  config: Config,
  path: string,
  order: unknown,
  inUse: Error,
): Promise<unknown> {
  const service = readOperatorFile(config)
  if (service === undefined) throw inUse
  const { tell } = progress(() => 'the running service carries out the command')
  tell()
  const looking = setInterval(tell, LOOK_MS)
  try {
    const response = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { [OPERATOR_HEADER]: service.key },
      body: JSON.stringify(order),
    })
    if (!response.ok) {
      const reason: unknown = await response.json().catch(() => undefined)
      throw refusedBy('the running service', response.status, reason)
    }
    return await response.json()
  } catch (error) {
    // A killed service may have left its address: no program answers there.
    throw error instanceof TypeError ? inUse : error
  } finally {
    clearInterval(looking)
  }
}

const LOOK_MS = 500
