import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { runCommand, runService, type Settings, temporaryFolder } from '../support/running-service.ts'
import { founder, init } from './founder.ts'

// A command that was typed in another folder, or without the variables of the service.

const ORGANIZATION = '019b76da-a800-7000-b9e1-804b8725d6ce'

/** They work on data that exists. */
const onData: readonly (readonly string[])[] = [
  ['webhooks', 'dead'],
  ['quota', 'set', '--default', '--objects', '10'],
  ['move', '--to', 'target'],
  ['archive', 'make', '--to', 'archives'],
  ['organization', 'erase', ORGANIZATION],
  ['root-key', 'list'],
  ['doctor'],
  ['backup', '--out', 'copy'],
]

test('a command in a folder without data says so, and makes none', async () => {
  const { dataFolder: elsewhere, key } = founder()
  await init(elsewhere, key)
  for (const args of onData) {
    const dataFolder = join(temporaryFolder(), 'data')
    mkdirSync(dataFolder)
    const rootKey = join(dataFolder, 'root.key')
    copyFileSync(join(elsewhere, 'root.key'), rootKey)
    const { code, output } = await runCommand(args, { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' })
    assert.equal(code, 1, `${args.join(' ')}: ${output}`)
    assert.match(output, /there is no embedded store \S+claviger\.db: CLAVIGER_DATA/, args.join(' '))
    assert.deepEqual(readdirSync(dataFolder), ['root.key'], args.join(' '))
  }
})

test('a command on a database without data says so, and makes no tables', {
  skip: postgresAvailable() ? false : postgresMissing,
}, async () => {
  const settings = { CLAVIGER_DATA: temporaryFolder(), CLAVIGER_DATABASE_URL: await freshDatabase() }
  for (const args of [
    ['webhooks', 'dead'],
    ['quota', 'list'],
  ]) {
    const { code, output } = await runCommand(args, settings)
    assert.equal(code, 1, output)
    assert.match(output, /the database has no data of Claviger/)
  }
})

test('data is copied under its own root key, and not under one that is there as well', async () => {
  const { settings, organizationId } = await underForeignKey()
  const file = join(temporaryFolder(), 'copy')
  for (const args of [['backup'], ['organization', 'export', organizationId]]) {
    const { code, output } = await runCommand([...args, '--out', file], settings)
    assert.equal(code, 1, output)
    assert.match(output, /this data was written under another root key/)
    assert.equal(existsSync(file), false)
  }
  assert.equal(existsSync(join(settings.CLAVIGER_DATA, 'last-backup.json')), false)
})

test('development mode makes no organization in data that it has not made', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const settings = { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' }
  const { code, output } = await runCommand(['dev'], settings)
  assert.equal(code, 1, output)
  assert.match(output, /^claviger dev: the data in \S+ has organizations that claviger dev has not made/)
  assert.equal(existsSync(join(dataFolder, 'dev.env')), false)
})

test('development mode refuses its key file beside data without the organization of the file', async () => {
  const service = await runService('dev')
  const { dataFolder } = service
  await service.stop()
  for (const name of readdirSync(dataFolder).filter((one) => one.startsWith('claviger.db')))
    rmSync(join(dataFolder, name))
  const { code, output } = await runCommand(['dev'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' })
  assert.equal(code, 1, output)
  assert.match(
    output,
    /dev\.env is the key file of the organization [0-9a-f-]{36}, which is not in the data: remove/,
  )
  assert.deepEqual(readdirSync(dataFolder).toSorted(), ['dev.env', 'root.key'])
})

test('no root key is made beside data that it could not open', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  rmSync(join(dataFolder, 'root.key'))
  const again = await init(dataFolder, key)
  assert.equal(again.code, 1, again.output)
  assert.match(again.output, /there is no root key file \S+, and a new one would not open the data/)
  assert.equal(existsSync(join(dataFolder, 'root.key')), false)
})

/** Data with the root key of other data. */
async function underForeignKey(): Promise<{
  readonly settings: Settings & { readonly CLAVIGER_DATA: string }
  readonly organizationId: string
}> {
  const [own, other] = [founder(), founder()]
  const { organizationId } = await init(own.dataFolder, own.key)
  await init(other.dataFolder, other.key)
  const settings = {
    CLAVIGER_DATA: own.dataFolder,
    CLAVIGER_ROOT_KEY: join(other.dataFolder, 'root.key'),
  }
  return { settings, organizationId }
}
