import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { organizationSource } from '../../src/host/copies/organization-source.ts'
import { localFile, writeLocalFile } from '../../src/host/copies/local-file.ts'
import { copySource, openCopy } from '../../src/host/copies/read-copy.ts'
import { newVerifyState } from '../../src/host/copies/verify-state.ts'
import { verifyRows } from '../../src/host/copies/verify-rows.ts'
import { writeCopy } from '../../src/host/copies/write-copy.ts'
import { openPostgres } from '../../src/host/store/postgres/postgres.ts'
import { SCHEMA_STEP } from '../../src/host/store/schema-step.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { Store } from '../../src/host/store/store.ts'
import { freshDatabase, postgresAvailable } from '../support/postgres.ts'
import { runCommand } from '../support/running-service.ts'
import { testWorld } from '../support/service.ts'
import { founder, init } from '../commands/founder.ts'
import { openServiceOn, START } from '../tampering/harness.ts'
import { populate } from '../tampering/populated.ts'

const folder = mkdtempSync(join(tmpdir(), 'claviger-export-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const engines: { readonly [engine: string]: () => Promise<Store> } = {
  sqlite: async () => openSqlite({ path: join(folder, 'claviger.db') }),
  ...(postgresAvailable()
    ? { postgres: async () => await openPostgres({ url: await freshDatabase() }) }
    : {}),
}

for (const [engine, open] of Object.entries(engines))
  test(`${engine}: an export has all rows of its organization, which verify, and nothing of any other`, async () => {
    const store = await open()
    try {
      const service = await openServiceOn(store, testWorld(1, START))
      const { root, other, sub, ada } = await populate(service, store)
      for (const [own, foreign] of [
        [other, [root.organizationId, root.userId, ada.userId, ada.key.publicKey, sub.organizationId, 'Ada']],
        [root, [other.organizationId, other.userId, other.key.publicKey, 'Other']],
      ] as const) {
        const { organizationId } = own
        const path = join(folder, `${engine}-${organizationId}`)
        const manifest = await writeCopy(organizationSource(store, organizationId), service.vault, {
          write: async (bytes) => await writeLocalFile(path, bytes),
          recipients: [],
          randomBytes: service.world.randomBytes,
          about: { claviger: 'test', schema: SCHEMA_STEP, copiedAt: START, lastJob: 0, organizationId },
          paused: () => {},
        })
        assert.ok(!readFileSync(path).includes(organizationId), 'it is encrypted')
        const copy = await openCopy(await localFile(path), service.vault, {
          identities: [],
          schema: SCHEMA_STEP,
        })
        const text: string[] = []
        for await (const page of copy.pages()) text.push(JSON.stringify(page))
        const said = text.join('\n')
        for (const theirs of foreign) assert.ok(!said.includes(theirs), theirs)

        const activities = await store.activities(organizationId, {}, { limit: 1_000 })
        for (const { activityId } of activities) assert.ok(said.includes(activityId))
        assert.deepEqual(
          [manifest.tables.charters.rows, manifest.tables.activities.rows],
          [1, activities.length],
        )
        assert.ok(manifest.tables.objects.rows > 0)

        const state = newVerifyState('salt')
        const looking = { state, isWhole: false, pauseAfterRows: 100, paused: async () => {} }
        await verifyRows(copySource(copy), service.vault, looking)
        assert.deepEqual(state.problems, [])
      }
    } finally {
      await store.close()
    }
  })

test('the command exports one organization; verify reads the file, and restore refuses it', async () => {
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_DATA: dataFolder }
  const { organizationId } = await init(dataFolder, key)
  const out = join(dataFolder, 'export')
  const command = ['organization', 'export', organizationId, '--out', out, '--json']
  const made = await runCommand(command, settings)
  assert.equal(made.code, 0, made.output)
  const manifest = JSON.parse(made.output.trimEnd().split('\n').at(-1) ?? '')
  assert.deepEqual([manifest.organizationId, manifest.tables.charters.rows], [organizationId, 1])
  const verified = await runCommand(['verify', '--backup', out], settings)
  assert.match(verified.output, /^ok {2}\d+ rows are as the vault sealed them$/m)

  const root = { CLAVIGER_ROOT_KEY: join(dataFolder, 'root.key') }
  const restored = await runCommand(['restore', '--from', out], {
    ...root,
    CLAVIGER_DATA: join(folder, 'empty'),
  })
  assert.equal(restored.code, 1)
  assert.match(restored.output, /the export of one organization, and no backup/)

  const none = join(dataFolder, 'none')
  const unknown = await runCommand(['organization', 'export', 'nobody', '--out', none], settings)
  assert.equal(unknown.code, 1)
  assert.match(unknown.output, /there is no organization nobody/)
  assert.equal(existsSync(none), false)
})
