import { existsSync } from 'node:fs'
import type { Config } from '../../app/config.ts'
import { sqlitePath } from '../../app/open-store.ts'
import type { RotationOrder } from '../../rotation/rotation-orders.ts'
import { askRotation } from '../root-key/ask-rotation.ts'

/**
 * Asks the data of this configuration, or the service that holds it.
 *
 * @returns  whether there is data: an embedded store is not created for a note
 */
export async function askStore(config: Config, order: RotationOrder): Promise<boolean> {
  if (config.databaseUrl === undefined && !existsSync(sqlitePath(config))) return false
  await askRotation(config, order)
  return true
}
