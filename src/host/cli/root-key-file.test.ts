import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
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

test('while a run puts its root key file in place, another one writes nothing and is told so', async () => {
  const config = readConfig({ CLAVIGER_DATA: join(temporaryFolder(), 'data') }, '/')
  await ensureRootKeyFile(config)
  const path = config.rootKeyPath
  const files = () => readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)))
  const [text, file] = [readFileSync(path, 'utf8'), await openRootKeyFile(config)]
  const protection = { kind: 'passphrase', passphrase: 'correct horse battery staple' } as const
  // It compares the file with what it has read, and renames: in between no other run may do the same.
  writeFileSync(`${path}.claimed`, '')
  await assert.rejects(file.replace(file.keys, protection), (error) => {
    assert.match(String(error), /another command is replacing \S+root\.key, .* remove \S+root\.key\.claimed/)
    assert.equal(exitCodeOf(error), 1)
    return true
  })
  assert.equal(readFileSync(path, 'utf8'), text)
  rmSync(`${path}.claimed`)
  assert.deepEqual(files(), ['root.key'])
  await file.replace(file.keys, protection)
  assert.notEqual(readFileSync(path, 'utf8'), text)
  assert.deepEqual(files(), ['root.key'])
})
