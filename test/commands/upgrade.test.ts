import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import pg from 'pg'
import { SCHEMA_STEP } from '../../src/host/store/schema-step.ts'
import { eventually } from '../support/eventually.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { runCommand, runService, type Settings, temporaryFolder } from '../support/running-service.ts'
import { founder, init } from './founder.ts'

const check = async (settings: Settings, more: readonly string[] = []) =>
  await runCommand(['upgrade', '--check', ...more], settings)

test('of the embedded store claviger upgrade --check tells what runs, that it has to stop, and what comes', async (t) => {
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_DATA: dataFolder }
  const without = await check(settings)
  assert.equal(without.code, 1)
  assert.match(without.output, /there is no embedded store/)

  await init(dataFolder, key)
  const path = join(dataFolder, 'claviger.db')
  const stopped = readFileSync(path)
  const alone = await check(settings)
  assert.equal(alone.code, 1, alone.output)
  assert.match(alone.output, /no host has announced itself/)
  assert.deepEqual(readFileSync(path), stopped)

  const service = await runService('serve', { dataFolder })
  t.after(() => service.kill())
  const { code, output } = await check(settings, ['--json'])
  const plan = JSON.parse(output)
  assert.equal(code, 1)
  assert.deepEqual(plan.schema, { data: SCHEMA_STEP, known: SCHEMA_STEP, steps: [] })
  assert.equal(plan.rolling, false)
  assert.equal(plan.hosts.length, 1)
  assert.equal(plan.hosts[0].trouble, null)
  assert.match(plan.obstacles.join(), /the embedded store has one host/)
  assert.equal(await service.stop(), 0)

  const db = new DatabaseSync(path)
  db.prepare('INSERT INTO migrations VALUES (?, ?, ?)').run(SCHEMA_STEP + 1, 'x', SCHEMA_STEP + 1)
  db.close()
  const newer = await check(settings)
  assert.equal(newer.code, 1)
  assert.match(newer.output, /written by a newer version of Claviger/)
})

test('claviger upgrade --check says how old the last backup is, which has written nothing to the store', async () => {
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_DATA: dataFolder }
  await init(dataFolder, key)
  assert.match((await check(settings)).output, /^no backup is noted in \S+$/m)
  const store = readFileSync(join(dataFolder, 'claviger.db'))
  const file = join(temporaryFolder(), 'backup')
  assert.equal((await runCommand(['backup', '--out', file], settings)).code, 0)
  assert.deepEqual(readFileSync(join(dataFolder, 'claviger.db')), store)
  const { output } = await check(settings)
  assert.ok(output.includes(`${dataFolder} is less than an hour old (`), output)
  assert.ok(output.trimEnd().endsWith(`): ${file}`), output)
  const { lastBackup } = JSON.parse((await check(settings, ['--json'])).output)
  assert.deepEqual(Object.keys(lastBackup), ['copiedAt', 'file'])

  // As it is found after some days, when the backup was brought elsewhere.
  const path = join(dataFolder, 'last-backup.json')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const days = { ...lastBackup, copiedAt: lastBackup.copiedAt - 5 * 24 * 3_600_000 }
  writeFileSync(path, JSON.stringify(days))
  rmSync(file)
  assert.match((await check(settings)).output, /is 5 days old \(.*\): \S+, which is not there any more$/m)
  for (const bad of ['', '{"copiedAt":"\u001b[2J"}', JSON.stringify({ ...days, file: 'x'.repeat(5_000) })]) {
    writeFileSync(path, bad)
    assert.match((await check(settings)).output, /^no backup is noted in/m, bad.slice(0, 20))
  }
  writeFileSync(path, JSON.stringify({ ...days, file: '/a\u001b[2J' }))
  assert.match((await check(settings)).output, /: \/a\\u001b\[2J, which is not/)
  // A folder that takes no file spoils no backup.
  rmSync(path)
  mkdirSync(path)
  assert.match((await check(settings)).output, /^no backup is noted in/m)
  const other = join(temporaryFolder(), 'backup')
  assert.equal((await runCommand(['backup', '--out', other], settings)).code, 0)
})

test('of PostgreSQL claviger upgrade --check names the hosts and their versions, and ends with 0 where they can be replaced in turn', {
  skip: postgresAvailable() ? false : postgresMissing,
}, async (t) => {
  const { dataFolder, key } = founder()
  const url = await freshDatabase()
  const settings = { CLAVIGER_DATA: dataFolder, CLAVIGER_DATABASE_URL: url }
  await init(dataFolder, key, { CLAVIGER_DATABASE_URL: url })
  const service = await runService('serve', { dataFolder, CLAVIGER_DATABASE_URL: url })
  t.after(() => service.kill())
  const hosts = async () => JSON.parse((await check(settings, ['--json'])).output).hosts
  await eventually(async () => (await hosts()).length === 1)
  const { code, output } = await check(settings)
  assert.equal(code, 0, output)
  assert.match(output, /\) {2}runs \d+\.\d+\.\d+, knows step 7$/m)
  assert.match(output, /^ok {2}hosts can be replaced one after another$/m)

  // A writer of the database plants a host, with a name for the terminal.
  const operator = new pg.Client({ connectionString: url })
  await operator.connect()
  t.after(() => operator.end())
  const now = Date.now()
  const planted = { id: 'x', name: 'gone\u001b[2J', at: now, seals: 1, versions: [] }
  await operator.query("INSERT INTO notes VALUES ('host x', $1)", [JSON.stringify(planted)])
  const before = await operator.query('SELECT name, value FROM notes WHERE name = $1', ['host x'])
  const beside = await check(settings)
  assert.equal(beside.code, 1)
  assert.match(beside.output, /^!! {4}gone\\u001b\[2J \(x\) does not say which version it is$/m)
  const after = await operator.query('SELECT name, value FROM notes WHERE name = $1', ['host x'])
  assert.deepEqual(after.rows, before.rows)
  assert.equal(await service.stop(), 0)
  assert.deepEqual(
    (await hosts()).map(({ id }: { id: string }) => id),
    ['x'],
  )
})

test('claviger upgrade says that it only checks', async () => {
  const { code, output } = await runCommand(['upgrade'], { CLAVIGER_DATA: temporaryFolder() })
  assert.equal(code, 2)
  assert.match(output, /it only checks: claviger upgrade --check/)
})
