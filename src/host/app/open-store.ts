import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { refuseClosed, refuseMoved } from '../store/moved-store.ts'
import { openPostgres } from '../store/postgres/postgres.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'

/** @throws StoreError of the two engines, and `foreign` if the data was moved or is being moved */
export async function openStore(config: Config): Promise<Store> {
  return await open(config, refuseMoved)
}

/**
 * Only for `claviger move`.
 *
 * @param mover  the name of its connections to a database
 */
export async function openStoreToMove(config: Config, mover: string): Promise<Store> {
  return await open(config, refuseClosed, mover)
}

async function open(config: Config, check: (store: Store) => Promise<void>, mover?: string): Promise<Store> {
  const store = await openEngine(config, mover)
  try {
    await check(store)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

async function openEngine(config: Config, mover: string | undefined): Promise<Store> {
  if (config.databaseUrl !== undefined)
    return await openPostgres({ url: config.databaseUrl, mover, ...config.databaseLimits })
  mkdirSync(config.dataFolder, { recursive: true, mode: 0o700 })
  return openSqlite({ path: sqlitePath(config) })
}

/** The file of the embedded store. */
export function sqlitePath({ dataFolder }: Pick<Config, 'dataFolder'>): string {
  return join(dataFolder, 'claviger.db')
}
