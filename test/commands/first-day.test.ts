import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newRootKeyFile } from '../../src/trusted/vault/keys/root-key.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { projectFolder, runCommand, runService, type Settings } from '../support/running-service.ts'
import { founder, init } from './founder.ts'

test('a setting that is empty is refused by its name, in the environment and in the file, whichever it is', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const config = join(dataFolder, 'claviger.conf')
  writeFileSync(config, 'CLAVIGER_PORT=\nCLAVIGER_SMTP_URL =  \n')
  const empty = {
    CLAVIGER_HOST: '',
    CLAVIGER_DATABASE_URL: '',
    CLAVIGER_ROOT_KEY: ' ',
    CLAVIGER_RATE_LIMITS: '',
  }
  const { code, output } = await runCommand(['serve'], {
    CLAVIGER_DATA: dataFolder,
    CLAVIGER_CONFIG: config,
    ...empty,
  })
  assert.equal(code, 1)
  for (const name of [...Object.keys(empty), 'CLAVIGER_PORT', 'CLAVIGER_SMTP_URL'])
    assert.ok(output.includes(`  - ${name} is empty: give it a value, or leave it out\n`), output)
  assert.match(output, /the configuration has 6 problems:/)
})

test('serve refuses a store without organizations, unless it is told to serve it', async () => {
  const { dataFolder } = founder()
  mkdirSync(dataFolder)
  writeFileSync(
    join(dataFolder, 'root.key'),
    await newRootKeyFile((length) => new Uint8Array(length).fill(5)),
    { mode: 0o600 },
  )
  await refusesEmpty({ CLAVIGER_DATA: dataFolder })
  const service = await runService('serve', { dataFolder }, ['--allow-empty'])
  assert.equal(await service.stop(), 0)
})

test('serve refuses an empty database in the place of the one that was initialised', {
  skip: postgresAvailable() ? false : postgresMissing,
}, async () => {
  const { dataFolder, key } = founder()
  const [right, wrong] = [await freshDatabase(), await freshDatabase()]
  await init(dataFolder, key, { CLAVIGER_DATABASE_URL: right })
  await refusesEmpty({ CLAVIGER_DATA: dataFolder, CLAVIGER_DATABASE_URL: wrong })
})

async function refusesEmpty(settings: Settings): Promise<void> {
  const { code, output } = await runCommand(['serve'], { ...settings, CLAVIGER_PORT: '0' })
  assert.equal(code, 1)
  assert.match(
    output,
    /^claviger serve: there is no organization in .*claviger init creates the first one; --allow-empty /m,
  )
}

test('serve refuses what development mode made, and says where the key lies', async () => {
  const { dataFolder } = founder()
  const service = await runService('dev', { dataFolder })
  await service.stop()
  const { code, output } = await runCommand(['serve'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' })
  assert.equal(code, 1)
  assert.match(output, /the data folder was made by claviger dev.*dev\.env/)
})

test('no command takes an argument that it does not know', async () => {
  const { dataFolder } = founder()
  for (const args of [
    ['serve', '--port', '1'],
    ['serve', 'now'],
    ['dev', '--allow-empty'],
    ['doctor', '--loud'],
  ]) {
    const { code, output } = await runCommand(args, { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' })
    assert.equal(code, 2, args.join(' '))
    assert.match(output, new RegExp(`^claviger ${args[0]}: .*${args[1]}`), args.join(' '))
    assert.doesNotMatch(output, /positional argument/)
  }
  assert.equal(existsSync(dataFolder), false)
})

test('a port that is taken is told by serve before it opens anything', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const service = await runService('dev')
  try {
    const { port } = new URL(service.url)
    // Its own store is in use as well; the port is what it says, because it looked there first.
    const taken = { CLAVIGER_DATA: service.dataFolder, CLAVIGER_PORT: port }
    assert.match(
      (await runCommand(['dev'], taken)).output,
      /CLAVIGER_PORT is \d+, and another process listens/,
    )
    const mine = await runCommand(['serve'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: port })
    assert.match(mine.output, /CLAVIGER_PORT is \d+, and another process listens/)
    const nowhere = { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0', CLAVIGER_HOST: '203.0.113.1' }
    assert.match(
      (await runCommand(['serve'], nowhere)).output,
      /CLAVIGER_HOST is "203\.0\.113\.1", which is not an address/,
    )
  } finally {
    await service.kill()
  }
})

test('it says its version, and at its front door what it is, though not of which version', async () => {
  const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'))
  for (const asked of ['--version', 'version'])
    assert.deepEqual(await runCommand([asked]), { code: 0, output: `claviger ${version}\n` })
  const service = await runService('dev')
  try {
    const answer = await fetch(service.url)
    const text = await answer.text()
    assert.equal(answer.status, 200)
    assert.match(JSON.parse(text).service, /^Claviger/)
    assert.equal(text.includes(version), false)
  } finally {
    await service.kill()
  }
})
