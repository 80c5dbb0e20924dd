import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand } from '../support/running-service.ts'
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
