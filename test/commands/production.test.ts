import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand, runService, temporaryFolder } from '../support/running-service.ts'
import { founder, init, initArguments, signs } from './founder.ts'

test('init makes a root key for its owner alone and an organization whose root user holds the key given, and serve serves it', async () => {
  const { dataFolder, key } = founder()
  const { code, output, organizationId } = await init(dataFolder, key)
  assert.equal(code, 0, output)
  assert.match(output, /^Made the root key .*root\.key\. This data cannot be read without it: back it up\.$/m)
  assert.match(output, /^ROOT_USER_ID=[0-9a-f-]{36}$/m)
  assert.match(output, /^SIGNER_PUBLIC_KEY=04[0-9a-f]{128}$/m)
  assert.equal(statSync(join(dataFolder, 'root.key')).mode & 0o777, 0o600)

  const service = await runService('serve', { dataFolder })
  try {
    assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
    assert.doesNotMatch(service.output(), /DEVELOPMENT/)
  } finally {
    await service.kill()
  }
})

test('init again makes nothing and says so, and with --another an organization beside the first', async () => {
  const { dataFolder, key } = founder()
  const first = await init(dataFolder, key)
  const rootKey = readFileSync(join(dataFolder, 'root.key'), 'utf8')
  const other = founder().key
  const again = await init(dataFolder, other)
  assert.equal(again.code, 0, again.output)
  assert.match(again.output, /^Nothing was made: .* With --another, /)
  assert.ok(again.output.includes(`the first is ${first.organizationId}.`), again.output)
  assert.doesNotMatch(again.output, /ORGANIZATION_ID/)
  const file = join(dataFolder, 'root.key')
  const told = await init(dataFolder, other, {}, ['--json'])
  assert.deepEqual(JSON.parse(told.output), {
    made: false,
    rootKey: { made: false, file },
    firstOrganizationId: first.organizationId,
  })
  const third = JSON.parse((await init(dataFolder, other, {}, ['--another', '--json'])).output)
  assert.deepEqual([third.made, third.rootKey], [true, { made: false, file }])
  for (const id of [third.organizationId, third.rootUserId]) assert.match(id, /^[0-9a-f-]{36}$/)
  assert.match(third.signerPublicKey, /^04[0-9a-f]{128}$/)
  const second = await init(dataFolder, other, {}, ['--another'])
  assert.equal(second.code, 0, second.output)
  assert.match(second.output, /^Root key: /m)
  assert.equal(readFileSync(join(dataFolder, 'root.key'), 'utf8'), rootKey)
  assert.notEqual(second.organizationId, first.organizationId)
  const service = await runService('serve', { dataFolder })
  try {
    for (const [{ organizationId }, by] of [
      [first, key],
      [second, other],
    ] as const)
      assert.equal(await signs(service.url, { organizationId, key: by }), 'Ada')
  } finally {
    await service.kill()
  }
})

test('init refuses what is no public key, and says what is missing, before it makes anything', async () => {
  const { dataFolder } = founder()
  const run = (...args: string[]) => runCommand(['init', ...args], { CLAVIGER_DATA: dataFolder })
  const bad = await run('--organization', 'Acme', '--user', 'Ada', '--public-key', `02${'ff'.repeat(32)}`)
  assert.equal(bad.code, 2)
  assert.match(bad.output, /^claviger init: .*(key|point)/m)
  const none = await run('--user', 'Ada')
  assert.equal(none.code, 2)
  assert.match(none.output, /^claviger init: missing: --organization, --public-key$/m)
  const curve = await run(...initArguments('aa'), '--curve', 'P-521')
  assert.match(curve.output, /^claviger init: --curve is one of P256, SECP256K1, ED25519$/m)
  const unknown = await run('--colour', 'red')
  assert.equal(unknown.code, 2)
  assert.match(unknown.output, /^claviger init: .*--colour/m)
  assert.equal(existsSync(dataFolder), false)
})

test('serve without init says that there is no root key and how to make one, and makes none itself', async () => {
  const { dataFolder } = founder()
  const { code, output } = await runCommand(['serve'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' })
  assert.equal(code, 1)
  assert.match(output, /^claviger serve: /)
  assert.match(
    output,
    /there is no root key file .*root\.key: bring the one of the data; for a new service, claviger init makes one$/m,
  )
  assert.equal(existsSync(dataFolder), false)
})

test('every problem of the configuration is named at once, and the address of the database is never quoted', async () => {
  const config = join(temporaryFolder(), 'claviger.conf')
  writeFileSync(config, '# settings\nCLAVIGER_HOST=127.0.0.1\nnonsense\nPATH=/bin\n')
  const { code, output } = await runCommand(['serve'], {
    CLAVIGER_CONFIG: config,
    CLAVIGER_PORT: 'many',
    CLAVIGER_COLOUR: 'red',
    CLAVIGER_DATABASE_URL: 'mysql://ada:hunter2@db/claviger',
    CLAVIGER_HOST: '',
    CLAVIGER_ROOT_PASSPHRASE: 'hunter3',
    CLAVIGER_ROOT_PASSPHRASE_FILE: '/nowhere',
  })
  assert.equal(code, 1)
  for (const problem of [
    /line 3: it is not of the form NAME=value/,
    /line 4: PATH is not a setting/,
    /CLAVIGER_COLOUR is not a setting/,
    /CLAVIGER_PORT is "many"/,
    /CLAVIGER_DATABASE_URL is not an address/,
    /CLAVIGER_HOST is empty/,
    /are both set: set one/,
  ])
    assert.match(output, problem)
  assert.match(output, /^claviger serve: the configuration has 7 problems:$/m)
  assert.doesNotMatch(output, /hunter/)
})

test('settings are read from the file that CLAVIGER_CONFIG names, and the environment goes before it', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const config = join(temporaryFolder(), 'claviger.conf')
  writeFileSync(config, `CLAVIGER_DATA = ${dataFolder}\nCLAVIGER_HOST=203.0.113.1\nCLAVIGER_PORT=0\n`)
  const { code, output } = await runCommand(['doctor'], {
    CLAVIGER_CONFIG: config,
    CLAVIGER_HOST: '127.0.0.1',
  })
  assert.equal(code, 0, output)
  assert.ok(output.includes(`configuration: 127.0.0.1:0, data in ${dataFolder}, embedded store`), output)
})

test('a root key that others can read is refused, by serve and by doctor', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  chmodSync(join(dataFolder, 'root.key'), 0o640)
  for (const command of ['serve', 'doctor']) {
    const { code, output } = await runCommand([command], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' })
    assert.equal(code, 1)
    assert.match(output, /root\.key can be read by others.*chmod 600/)
  }
})

test('data that was written under another root key is not served', async () => {
  const [one, other] = [founder(), founder()]
  await init(one.dataFolder, one.key)
  await init(other.dataFolder, other.key)
  const { code, output } = await runCommand(['serve'], {
    CLAVIGER_DATA: one.dataFolder,
    CLAVIGER_ROOT_KEY: join(other.dataFolder, 'root.key'),
    CLAVIGER_PORT: '0',
  })
  assert.equal(code, 1)
  assert.match(
    output,
    /^claviger serve: this data was written under another root key, or .*: bring the root key file/m,
  )
})

test('a root key that init encrypted opens with its passphrase, and with no other and none', async () => {
  const { dataFolder, key } = founder()
  const passphrasePath = join(temporaryFolder(), 'passphrase')
  writeFileSync(passphrasePath, 'correct horse battery staple\n', { mode: 0o600 })
  const made = await init(dataFolder, key, { CLAVIGER_ROOT_PASSPHRASE_FILE: passphrasePath })
  assert.equal(made.code, 0, made.output)
  assert.match(readFileSync(join(dataFolder, 'root.key'), 'utf8'), /"sealed"/)

  const serve = (settings: Record<string, string>) =>
    runCommand(['serve'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0', ...settings })
  const none = await serve({})
  assert.equal(none.code, 1)
  assert.match(none.output, /the root key is encrypted: set CLAVIGER_ROOT_PASSPHRASE_FILE/)
  const wrong = await serve({ CLAVIGER_ROOT_PASSPHRASE: 'incorrect horse' })
  assert.equal(wrong.code, 1)
  assert.match(wrong.output, /the passphrase does not open the root key/)
  assert.doesNotMatch(wrong.output, /incorrect horse/)

  const settings = { CLAVIGER_ROOT_PASSPHRASE: 'correct horse battery staple' }
  const service = await runService('serve', { dataFolder, ...settings })
  try {
    const { organizationId } = made
    assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
  } finally {
    await service.kill()
  }
})

test('development mode encrypts the root key it makes when a passphrase file is set', async () => {
  const { dataFolder } = founder()
  const passphrasePath = join(temporaryFolder(), 'passphrase')
  writeFileSync(passphrasePath, 'correct horse\n', { mode: 0o600 })
  const service = await runService('dev', { dataFolder, CLAVIGER_ROOT_PASSPHRASE_FILE: passphrasePath })
  try {
    assert.match(readFileSync(join(dataFolder, 'root.key'), 'utf8'), /"sealed"/)
  } finally {
    await service.kill()
  }
})

test('doctor finds nothing wrong with what init made, and names what is wrong elsewhere', async () => {
  const { dataFolder, key } = founder()
  const before = await runCommand(['doctor'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' })
  assert.equal(before.code, 1)
  assert.match(before.output, /^!! {2}there is no root key file .*, claviger init makes one$/m)
  await init(dataFolder, key)
  const well = await runCommand(['doctor'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' })
  assert.equal(well.code, 0, well.output)
  assert.doesNotMatch(well.output, /^!!/m)
  assert.match(well.output, /^ok {2}secp256k1 runs on libsecp256k1$/m)
  const withPassphrase = {
    CLAVIGER_DATA: dataFolder,
    CLAVIGER_PORT: '0',
    CLAVIGER_ROOT_PASSPHRASE: 'correct horse',
  }
  const clear = await runCommand(['doctor'], withPassphrase)
  assert.equal(clear.code, 1)
  assert.match(clear.output, /^!! {2}the root key file is in plain text, although a passphrase is set: /m)
  writeFileSync(join(dataFolder, 'root.key'), '{}', { mode: 0o600 })
  const broken = await runCommand(['doctor'], withPassphrase)
  assert.equal(broken.code, 1)
  assert.match(broken.output, /^!! {2}the root key file does not say/m)
  assert.doesNotMatch(broken.output, /plain text/)
  const settings = await runCommand(['doctor'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '99999' })
  assert.match(settings.output, /^!! {2}CLAVIGER_PORT is "99999"/m)
})

test('a second service on the same folder is refused, and the first goes on', async () => {
  const { dataFolder, key } = founder()
  const { organizationId } = await init(dataFolder, key)
  const service = await runService('serve', { dataFolder })
  try {
    const { code, output } = await runCommand(['serve'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' })
    assert.equal(code, 1)
    assert.match(output, /^claviger serve: .*another process/m)
    assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
  } finally {
    await service.kill()
  }
})

test('a data folder that is no folder is told in a sentence', async () => {
  const dataFolder = join(temporaryFolder(), 'file')
  writeFileSync(dataFolder, '')
  mkdirSync(`${dataFolder}.d`)
  const { code, output } = await runCommand(['dev'], {
    CLAVIGER_DATA: dataFolder,
    CLAVIGER_ROOT_KEY: join(`${dataFolder}.d`, 'root.key'),
    CLAVIGER_PORT: '0',
  })
  assert.equal(code, 1)
  assert.match(output, /^claviger dev: /m)
  assert.doesNotMatch(output, /\n {4}at /)
})
