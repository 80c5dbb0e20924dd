import { withPostgresSnapshot } from '../store/postgres/snapshot.ts'
import type { Snapshot } from '../store/snapshot.ts'
import { withSqliteSnapshot } from '../store/sqlite/snapshot.ts'
import type { Config } from './config.ts'
import { sqlitePath } from './open-store.ts'

/** The present data of this configuration, also while a service uses it. */
export async function withStoreSnapshot<Result>(
  { databaseUrl, dataFolder }: Pick<Config, 'databaseUrl' | 'dataFolder'>,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  return databaseUrl === undefined
    ? await withSqliteSnapshot(sqlitePath({ dataFolder }), work)
    : await withPostgresSnapshot(databaseUrl, work)
}
