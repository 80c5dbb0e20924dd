import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/host/app/config.ts'
import { withData } from '../../src/host/cli/with-data.ts'
import { rootVersionOf } from '../../src/trusted/vault/keys/seal-text.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { runCommand } from '../support/running-service.ts'
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
