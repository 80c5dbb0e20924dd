import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openPostgres } from '../store/postgres.ts'
import { openSqlite } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'

export async function openStore(config: Config): Promise<Store> {
  if (config.databaseUrl !== undefined)
    return await openPostgres({ url: config.databaseUrl, ...config.databaseLimits })
  mkdirSync(config.dataFolder, { recursive: true, mode: 0o700 })
  return openSqlite({ path: sqlitePath(config) })
}

/** The file of the embedded store. */
export function sqlitePath({ dataFolder }: Pick<Config, 'dataFolder'>): string {
  return join(dataFolder, 'claviger.db')
}
