import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../src/host/app/config.ts'
import { withData } from '../../src/host/cli/with-data.ts'
import { rootVersionOf } from '../../src/trusted/vault/keys/seal-text.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { runCommand, runService, temporaryFolder } from '../support/running-service.ts'
import { founder, init } from './founder.ts'

test('a command that erases for hours seals nothing under a version that is retired meanwhile', {
  skip: postgresAvailable() ? false : postgresMissing,
}, async () => {
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_DATA: dataFolder, CLAVIGER_DATABASE_URL: await freshDatabase() }
  await init(dataFolder, key, settings)

  const sealing = await withData(readConfig(settings, dataFolder), async ({ vault }) => {
    for (const step of [['add'], ['reseal'], ['retire', '1']]) {
      const { code, output } = await runCommand(['root-key', ...step], settings)
      assert.equal(code, 0, output)
    }
    return rootVersionOf(await vault.proveRoot('whatever it seals next'))
  })

  assert.equal(sealing, 2)
  const { output } = await runCommand(['root-key', 'list', '--json'], settings)
  assert.deepEqual(JSON.parse(output).hosts, [], 'it has left the hosts')
})

/** For Node: a clock that is a minute behind. */
const BEHIND = '--import=data:text/javascript,const{now}=Date;Date.now=()=>now()-60000'

test('a host whose clock is behind is a host, and a host that was killed is none', {
  skip: postgresAvailable() ? false : postgresMissing,
}, async (t) => {
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_DATA: dataFolder, CLAVIGER_DATABASE_URL: await freshDatabase() }
  await init(dataFolder, key, settings)
  const there = join(temporaryFolder(), 'root.key')
  copyFileSync(join(dataFolder, 'root.key'), there)
  const late = await runService('serve', { ...settings, CLAVIGER_ROOT_KEY: there, NODE_OPTIONS: BEHIND })
  t.after(() => late.kill())

  const early = await runCommand(['root-key', 'add'], settings)
  assert.equal(early.code, 3, early.output)
  assert.match(early.output, /version 2 opens and does not seal yet: .* do not hold it/)

  await late.kill()
  const added = await runCommand(['root-key', 'reseal'], settings)
  assert.equal(added.code, 0, added.output)
})
