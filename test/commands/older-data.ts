import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeOlderSqlite } from '../../src/host/store/testing/older-sqlite.ts'
import { founder, init } from './founder.ts'

/** A folder with its root key and an embedded store of the first version. */
export async function olderData(): Promise<{ readonly dataFolder: string; readonly path: string }> {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const path = join(dataFolder, 'claviger.db')
  rmSync(path)
  makeOlderSqlite(path)
  return { dataFolder, path }
}
