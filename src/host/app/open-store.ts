import { join } from 'node:path'
import { HOST_NOTE } from '../copies/store-notes.ts'
import { makeFolder } from '../store/make-folder.ts'
import { refuseClosed, refuseMoved } from '../store/moved-store.ts'
import { olderError } from '../store/migrations.ts'
import { openPostgres } from '../store/postgres/postgres.ts'
import { lookAtPostgresSchema } from '../store/postgres/schema-look.ts'
import { postgresMigrations } from '../store/postgres/schema.ts'
import { noEmbeddedStore } from '../store/sqlite/no-store.ts'
import { lookAtSqliteSchema } from '../store/sqlite/schema-look.ts'
import { sqliteMigrations } from '../store/sqlite/schema.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import { StoreError } from '../store/store-error.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'

/**
 * The data of this configuration, which exists: a command in another place than meant would otherwise make an empty
 * store there, and report that all is well. It is of this version: a look must not migrate data, which the version
 * before does not open any more.
 *
 * @throws StoreError of the two engines, and `foreign` if there is no data, if it is of an older version, or if it was
 *   moved or is being moved
 */
export async function openStore(config: Config): Promise<Store> {
  await refuseOther(config)
  return await openOrMakeStore(config)
}

/** Data of any version, also where none is yet: only for a start of the service, and for what precedes it. */
export async function openOrMakeStore(config: Config): Promise<Store> {
  return await open(config, refuseMoved)
}

/** @throws StoreError `foreign` */
async function refuseOther(config: Place): Promise<void> {
  const reason = (await missingData(config)) ?? (await olderData(config))
  if (reason !== undefined) throw reason
}

/** The reason why there is no data, not even of another version; undefined if there is. */
export async function missingData({ databaseUrl, dataFolder }: Place): Promise<StoreError | undefined> {
  const path = sqlitePath({ dataFolder })
  if (databaseUrl === undefined) return noEmbeddedStore(path)
  try {
    await lookAtPostgresSchema(databaseUrl, HOST_NOTE)
    return undefined
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'foreign') return error
    throw error
  }
}

/**
 * The reason why data that is there is not ready for this version, whose service would migrate it; undefined if it is.
 * This migrates nothing, so that the version before still opens the data.
 *
 * @throws StoreError `foreign` if this version may not use the data at all
 */
export async function olderData({ databaseUrl, dataFolder }: Place): Promise<StoreError | undefined> {
  if (databaseUrl !== undefined) {
    const { applied } = await lookAtPostgresSchema(databaseUrl, HOST_NOTE)
    return olderError(postgresMigrations, applied, 'the database')
  }
  const path = sqlitePath({ dataFolder })
  return olderError(sqliteMigrations, lookAtSqliteSchema(path).applied, path)
}

type Place = Pick<Config, 'databaseUrl' | 'dataFolder'>

/**
 * Only for `claviger move`.
 *
 * @param mover  the name of its connections to a database
 */
export async function openStoreToMove(config: Config, mover: string): Promise<Store> {
  await refuseOther(config)
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
  makeFolder(config.dataFolder)
  return openSqlite({ path: sqlitePath(config) })
}

/** The file of the embedded store. */
export function sqlitePath({ dataFolder }: Pick<Config, 'dataFolder'>): string {
  return join(dataFolder, 'claviger.db')
}
