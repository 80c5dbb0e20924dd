import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../test/support/running-service.ts'
import { readConfig } from '../app/config.ts'
import { exitCodeOf } from './exit-code-of.ts'
import { rootKey } from './root-key.ts'
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

test('no root key is made under an empty passphrase, as of a file whose writer found the disk full', async () => {
  const folder = temporaryFolder()
  const passphrase = join(folder, 'passphrase')
  const settings = { CLAVIGER_DATA: join(folder, 'data'), CLAVIGER_ROOT_PASSPHRASE_FILE: passphrase }
  const config = readConfig(settings, '/')
  for (const [text, mode, told] of [
    ['', 0o600, /the passphrase file \S+ is empty/],
    ['\n', 0o600, /the passphrase file \S+ is empty/],
    ['correct horse battery staple', 0o644, /can be read by others/],
  ] as const) {
    rmSync(passphrase, { force: true })
    writeFileSync(passphrase, text, { mode })
    await assert.rejects(ensureRootKeyFile(config), told)
    assert.equal(existsSync(config.rootKeyPath), false)
  }
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
