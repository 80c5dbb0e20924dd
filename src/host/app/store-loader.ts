import type { Loader } from '../store/loader.ts'
import { makeFolder } from '../store/make-folder.ts'
import { withPostgresLoader } from '../store/postgres/loader.ts'
import { withSqliteLoader } from '../store/sqlite/loader.ts'
import type { Config } from './config.ts'
import { sqlitePath } from './open-store.ts'

/** Fills the store of this configuration, which has to be empty. */
export async function withStoreLoader<Result>(
  { databaseUrl, dataFolder }: Pick<Config, 'databaseUrl' | 'dataFolder'>,
  work: (loader: Loader) => Promise<Result>,
): Promise<Result> {
  if (databaseUrl !== undefined) return await withPostgresLoader(databaseUrl, work)
  makeFolder(dataFolder)
  return await withSqliteLoader(sqlitePath({ dataFolder }), work)
}
