import type { Config } from '../app/config.ts'
import { missingData, openOrMakeStore } from '../app/open-store.ts'
import type { Store } from '../store/store.ts'

/** Whether there is data with an organization. */
export async function hasOrganizations(config: Config): Promise<boolean> {
  return await holds(config, async (store) => !(await store.isEmpty()))
}

/** Whether there is data with this organization. */
export async function hasOrganization(config: Config, organizationId: string): Promise<boolean> {
  return await holds(config, async (store) => (await store.charter(organizationId)) !== undefined)
}

/** Where no data is, this makes none. Data of an older version is migrated, as by a start. */
async function holds(config: Config, asked: (store: Store) => Promise<boolean>): Promise<boolean> {
  if ((await missingData(config)) !== undefined) return false
  const store = await openOrMakeStore(config)
  try {
    return await asked(store)
  } finally {
    await store.close()
  }
}
