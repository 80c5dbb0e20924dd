import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../test/support/running-service.ts'
import { readConfig } from '../app/config.ts'
import { exitCodeOf } from './exit-code-of.ts'
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
