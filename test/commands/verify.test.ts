import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { newVerifyState, verifyStateText } from '../../src/host/copies/verify-state.ts'
import { freshDatabase, postgresAvailable } from '../support/postgres.ts'
import { runCommand, runService, type Settings } from '../support/running-service.ts'
import { founder, init, signs } from './founder.ts'

const engines: { readonly [engine: string]: () => Promise<Settings> } = {
  sqlite: async () => ({}),
  ...(postgresAvailable()
    ? { postgres: async () => ({ CLAVIGER_DATABASE_URL: await freshDatabase() }) }
    : {}),
}

for (const [engine, settingsOf] of Object.entries(engines))
  test(`${engine}: verify reads beside the service, and finds all well`, async () => {
    const { dataFolder, key } = founder()
    const settings = { CLAVIGER_DATA: dataFolder, ...(await settingsOf()) }
    const { organizationId } = await init(dataFolder, key, settings)
    const service = await runService('serve', { dataFolder, ...settings })
    try {
      await signs(service.url, { organizationId, key })
      const state = join(dataFolder, 'state')
      writeFileSync(`${state}.new`, 'of the operator')
      const { code, output } = await runCommand(['verify', '--state', state], settings)
      assert.match(
        output,
        /^ok {2}\d+ rows are as the vault sealed them, and the indexes are those of these rows$/m,
      )
      assert.equal(code, 0)
      assert.equal(existsSync(state), false)
      assert.equal(readFileSync(`${state}.new`, 'utf8'), 'of the operator')
      assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
      const { isWell, rows } = JSON.parse(
        (await runCommand(['verify', '--json'], settings)).output.trimEnd().split('\n').at(-1) ?? '',
      )
      assert.deepEqual([isWell, rows.charters, rows.activities], [true, 1, 4])
    } finally {
      await service.kill()
    }
  })

test('verify names what is wrong and ends with 3; with another root key it finds every row wrong', async () => {
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_DATA: dataFolder }
  await init(dataFolder, key)
  const db = new DatabaseSync(join(dataFolder, 'claviger.db'))
  db.exec("UPDATE charters SET body = body || ' '")
  db.close()
  const wrong = await runCommand(['verify'], settings)
  assert.equal(wrong.code, 3)
  assert.match(wrong.output, /^!! {2}charter of organization \S+, version 1: its seal does not hold$/m)
  assert.match(wrong.output, /^!! {2}1 of \d+ rows are wrong or missing$/m)

  const other = founder()
  await init(other.dataFolder, other.key)
  const foreign = { ...settings, CLAVIGER_ROOT_KEY: join(other.dataFolder, 'root.key') }
  const { code, output } = await runCommand(['verify'], foreign)
  assert.equal(code, 3)
  assert.match(output, /^!! {2}note root-proof: its proof is not one of this root key$/m)
})

test('verify refuses what is no store, and a state that is none', async () => {
  const { dataFolder, key } = founder()
  const none = await runCommand(['verify'], { CLAVIGER_DATA: dataFolder })
  assert.equal(none.code, 1)
  await init(dataFolder, key)
  const state = join(dataFolder, 'state')
  writeFileSync(state, 'something else')
  const { code, output } = await runCommand(['verify', '--state', state], { CLAVIGER_DATA: dataFolder })
  assert.equal(code, 1)
  assert.match(output, /is not the state of a verification by this version/)
  // Of another store or backup it would say that this one is well, of which the half was never read.
  writeFileSync(state, verifyStateText(newVerifyState('salt', 'another')))
  const other = await runCommand(['verify', '--state', state], { CLAVIGER_DATA: dataFolder })
  assert.equal(other.code, 1)
  assert.match(other.output, /belongs to the verification of another store or backup/)

  // The data of before stood in the same place, and were read to their end.
  const restored = {
    CLAVIGER_DATA: join(dataFolder, 'restored'),
    CLAVIGER_ROOT_KEY: join(dataFolder, 'root.key'),
  }
  const copy = join(dataFolder, 'copy')
  await runCommand(['backup', '--out', copy], { CLAVIGER_DATA: dataFolder })
  assert.equal((await runCommand(['restore', '--from', copy], restored)).code, 0)
  const ofBefore = createHash('sha256').update(`store ${restored.CLAVIGER_DATA}`).digest('hex')
  writeFileSync(state, verifyStateText({ ...newVerifyState('salt', ofBefore), position: undefined }))
  const left = await runCommand(['verify', '--state', state], restored)
  assert.equal(left.code, 1, left.output)
  assert.match(left.output, /belongs to the verification of another store or backup/)
})
