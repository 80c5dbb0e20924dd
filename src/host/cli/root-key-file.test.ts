import assert from 'node:assert/strict'
import fs, { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../test/support/running-service.ts'
import { passphrase } from '../../seals/passphrase.ts'
import { realWorld } from '../../trusted/base/real-world.ts'
import { Secret } from '../../trusted/base/secret.ts'
import { readConfig } from '../app/config.ts'
import { exitCodeOf } from './exit-code-of.ts'
import { rootKey } from './root-key.ts'
import { rekey } from './root-key/rekey.ts'
import { ensureRootKeyFile, openRootKeyFile } from './root-key-file.ts'

test('of two operators who change a root key file at once, the second is told, and nothing is lost', async () => {
  const config = readConfig({ CLAVIGER_DATA: join(temporaryFolder(), 'data') }, '/')
  await ensureRootKeyFile(config)
  const [one, other] = [await openRootKeyFile(config), await openRootKeyFile(config)]
  await one.replace(one.keys, { kind: 'passphrase', passphrase: 'correct horse battery staple' })
  await assert.rejects(other.replace(other.keys), (error) => {
    assert.match(
      String(error),
      /root\.key was changed in the meantime: nothing was written, run the command again/,
    )
    assert.equal(exitCodeOf(error), 1)
    return true
  })
})

test('of two commands that make the root key file at once, each finds the one that was made', async (t) => {
  const config = readConfig({ CLAVIGER_DATA: join(temporaryFolder(), 'data') }, '/')
  const { linkSync } = fs
  let links = 0
  const mocked = t.mock.method(fs, 'linkSync', (beside: string, path: string) => {
    // Another run takes the new file for that of a killed one.
    if (links++ === 0) rmSync(beside)
    linkSync(beside, path)
  })
  syncBuiltinESMExports()
  t.after(() => {
    mocked.mock.restore()
    syncBuiltinESMExports()
  })
  const made = await Promise.all([ensureRootKeyFile(config), ensureRootKeyFile(config)])
  assert.deepEqual(made.toSorted(), ['made', 'there'])
  await openRootKeyFile(config)
  assert.deepEqual(readdirSync(config.dataFolder), ['root.key'])
})

test('a new root key file is made under no passphrase that is empty, is no text, or can be read by others', async () => {
  const folder = temporaryFolder()
  const passphrasePath = join(folder, 'passphrase')
  const config = readConfig(
    { CLAVIGER_DATA: join(folder, 'data'), CLAVIGER_ROOT_PASSPHRASE_FILE: passphrasePath },
    '/',
  )
  for (const [content, mode, message] of [
    ['', 0o600, /^the passphrase file \S+ is empty$/],
    [' \r\n\n', 0o600, /^the passphrase file \S+ is empty$/],
    [Buffer.from('9fb1c3d5e7', 'hex'), 0o600, /^the passphrase file \S+ is not a text in UTF-8/],
    ['correct horse', 0o644, /^the passphrase file \S+ can be read by others/],
  ] as const) {
    writeFileSync(passphrasePath, content)
    chmodSync(passphrasePath, mode)
    await assert.rejects(ensureRootKeyFile(config), { name: 'RootKeyError', message })
    assert.ok(!existsSync(config.rootKeyPath))
  }
})

test('whom the operator lets read a passphrase file may read that of a new passphrase too', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'passphrase')
  writeFileSync(path, '')
  chmodSync(path, 0o640)
  const environment = { CLAVIGER_DATA: join(folder, 'data'), CLAVIGER_ROOT_KEY_READERS: 'group' }
  const wanted = { passphrasePath: path, isClear: false, seals: [], isJson: false }
  const key = new Secret(new Uint8Array(32))
  const { randomBytes } = realWorld
  // That it is empty is said of a file that may be read.
  for (const taken of [
    () => rekey(readConfig(environment, '/'), wanted),
    () => passphrase.close(key, { parameters: { file: path }, file: '' }, { environment, randomBytes }),
  ])
    await assert.rejects(taken, { name: 'RootKeyError', message: /is empty$/ })
})

test('a root key file is not encrypted under its own text, which would be gone with it', async () => {
  const config = readConfig({ CLAVIGER_DATA: join(temporaryFolder(), 'data') }, '/')
  await ensureRootKeyFile(config)
  const path = config.rootKeyPath
  const before = readFileSync(path, 'utf8')
  for (const given of [
    ['--passphrase-file', path],
    ['--seal', `passphrase file=${path}`],
  ])
    await assert.rejects(
      rootKey(config, ['rekey', ...given]),
      /root\.key is a root key file, and no passphrase file: name the file of the new passphrase/,
    )
  assert.equal(readFileSync(path, 'utf8'), before)
})
