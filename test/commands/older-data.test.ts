import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { lookAtSqliteSchema } from '../../src/host/store/sqlite/schema-look.ts'
import { runCommand, temporaryFolder } from '../support/running-service.ts'
import { olderData } from './older-data.ts'

const ORGANIZATION = '019b76da-a800-7000-b9e1-804b8725d6ce'

test('a command on data of an older version says so, and does not migrate it', async () => {
  const { dataFolder, path } = await olderData()
  for (const args of [
    ['quota', 'near'],
    ['quota', 'set', '--default', '--objects', '10'],
    ['webhooks', 'backlog'],
    ['root-key', 'list'],
    ['root-key', 'reseal'],
    ['user', 'erase', '--organization', ORGANIZATION, '--user', ORGANIZATION],
    ['organization', 'erase', ORGANIZATION],
    ['archive', 'make', '--to', temporaryFolder()],
    ['move', '--to', join(temporaryFolder(), 'target')],
    ['verify'],
    ['backup', '--out', join(temporaryFolder(), 'copy')],
  ]) {
    const { code, output } = await runCommand(args, { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' })
    assert.equal(code, 1, `${args.join(' ')}: ${output}`)
    assert.ok(
      output.includes(`${path} is of an older version: start the service of this version on it once`),
      output,
    )
    assert.equal(lookAtSqliteSchema(path).applied.length, 1, args.join(' '))
  }
})
