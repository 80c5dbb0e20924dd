import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { readConfig } from '../../src/host/app/config.ts'
import { fileBeside, syncFolderOf } from '../../src/host/app/file-beside.ts'
import { openOrMakeStore } from '../../src/host/app/open-store.ts'
import { withStoreLoader } from '../../src/host/app/store-loader.ts'
import { ensureRootKeyFile } from '../../src/host/cli/root-key-file.ts'
import { archiveFolder } from '../../src/host/copies/archive-folder.ts'
import { writeShares } from '../../src/seals/shamir/new-shares.ts'
import { temporaryFolder } from '../support/running-service.ts'

const makers: { readonly [what: string]: (folder: string) => Promise<unknown> } = {
  'the folder of archives': async (folder) =>
    await archiveFolder(folder, { fileBeside, syncFolderOf }).prepare(),
  'the folder of data that are restored or moved': async (folder) =>
    await withStoreLoader({ databaseUrl: undefined, dataFolder: folder }, async () => {}),
  'the folder of new data': async (folder) => await (await openOrMakeStore(configOf(folder))).close(),
  'the folder of a new root key file': async (folder) => await ensureRootKeyFile(configOf(folder)),
}

for (const [what, make] of Object.entries(makers))
  test(`${what} is synced into the folders above it, which are made with it`, async (t) => {
    const above = temporaryFolder()
    const synced = syncedFiles(t)
    await make(join(above, 'one', 'two'))
    for (const folder of [above, join(above, 'one')])
      assert.ok(synced.has(fs.statSync(folder).ino), `${folder} was not synced`)
  })

test('the shares of a recovery are synced with their folder, before anything needs them', (t) => {
  const folder = temporaryFolder()
  const synced = syncedFiles(t)
  writeShares(folder, ['one', 'two'])
  for (const path of [folder, ...fs.readdirSync(folder).map((name) => join(folder, name))])
    assert.ok(synced.has(fs.statSync(path).ino), `${path} was not synced`)
})

function configOf(dataFolder: string) {
  return readConfig({ CLAVIGER_DATA: dataFolder }, '')
}

/** The inodes of what this process syncs from now on. */
function syncedFiles(t: TestContext): ReadonlySet<number> {
  const synced = new Set<number>()
  const { fsyncSync } = fs
  t.mock.method(fs, 'fsyncSync', (fd: number) => {
    synced.add(fs.fstatSync(fd).ino)
    fsyncSync(fd)
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  return synced
}
