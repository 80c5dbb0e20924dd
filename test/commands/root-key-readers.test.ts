import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand, temporaryFolder } from '../support/running-service.ts'
import { founder, init } from './founder.ts'

test('a root key file that others may read is taken as far as the operator says so, and never where they may write', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const cases = [
    [0o440, undefined, false],
    [0o440, 'group', true],
    [0o444, 'group', false],
    [0o444, 'all', true],
    [0o466, 'all', false],
    [0o600, 'group', true],
  ] as const
  for (const [mode, readers, isTaken] of cases) {
    chmodSync(join(dataFolder, 'root.key'), mode)
    const settings = readers === undefined ? {} : { CLAVIGER_ROOT_KEY_READERS: readers }
    const { code, output } = await runCommand(['doctor'], { CLAVIGER_DATA: dataFolder, ...settings })
    assert.equal(code, isTaken ? 0 : 1, output)
    assert.equal(/can be read by others \(mode 4\d\d\): chmod 600 it, or say/.test(output), !isTaken, output)
  }
  const { code, output } = await runCommand(['doctor'], { CLAVIGER_ROOT_KEY_READERS: 'world' })
  assert.equal(code, 1)
  assert.match(output, /CLAVIGER_ROOT_KEY_READERS is "world": it must be one of owner, group, all/)
})

// An entry of an access control list appears in the bits of the group, as in the credentials of systemd.
test('a passphrase file of mode 440 is accepted if the operator says that a group may read it', async () => {
  const { dataFolder, key } = founder()
  const path = join(temporaryFolder(), 'passphrase')
  writeFileSync(path, 'correct horse battery staple\n', { mode: 0o600 })
  const settings = { CLAVIGER_DATA: dataFolder, CLAVIGER_ROOT_PASSPHRASE_FILE: path, CLAVIGER_PORT: '0' }
  await init(dataFolder, key, settings)
  chmodSync(path, 0o440)
  const refused = await runCommand(['doctor'], settings)
  assert.equal(refused.code, 1)
  assert.match(
    refused.output,
    /the passphrase file \S+ can be read by others \(mode 440\): chmod 600 it, or say/,
  )
  const taken = await runCommand(['doctor'], { ...settings, CLAVIGER_ROOT_KEY_READERS: 'group' })
  assert.equal(taken.code, 0, taken.output)
  assert.match(taken.output, /^ok {2}seal passphrase opens the root key file$/m)
})
