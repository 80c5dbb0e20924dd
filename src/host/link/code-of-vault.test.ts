import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../../../test/support/running-service.ts'
import { codeOfVault } from './code-of-vault.ts'
import { ownModule } from './own-module.ts'
import { vaultProcess } from './spawn-vault.ts'

test('the vault of a clone may read the sources, the packages of the clone, and nothing beside them', () => {
  assert.deepEqual(codeOfVault('file:///home/ada/claviger/src/host/link/spawn-vault.ts'), [
    '/home/ada/claviger/src/',
    '/home/ada/claviger/package.json',
    '/home/ada/claviger/node_modules/',
  ])
})

test('the vault of the package may also read the packages that are installed beside it', () => {
  assert.deepEqual(codeOfVault('file:///srv/my%20app/node_modules/claviger/lib/host/link/spawn-vault.js'), [
    '/srv/my app/node_modules/claviger/lib/',
    '/srv/my app/node_modules/claviger/package.json',
    '/srv/my app/node_modules/claviger/node_modules/',
    '/srv/my app/node_modules/',
  ])
})

test('where an installer links packages into a folder of its own, the vault may read all of that folder', () => {
  const linked =
    'file:///srv/app/node_modules/.pnpm/claviger@1.0.0/node_modules/claviger/lib/host/link/spawn-vault.js'
  assert.equal(codeOfVault(linked).at(-1), '/srv/app/node_modules/')
})

test('a module that is started by its file is TypeScript in a clone and JavaScript in the package', () => {
  const [clone, installed] = [
    'file:///c/src/host/app/a.ts',
    'file:///p/node_modules/claviger/lib/host/app/a.js',
  ]
  assert.equal(ownModule('./b.ts', clone).href, 'file:///c/src/host/app/b.ts')
  assert.equal(ownModule('../b.ts', installed).href, 'file:///p/node_modules/claviger/lib/host/b.js')
})

test('a vault reads its code and its key, and neither reads, writes nor starts anything else', () => {
  const rootKeyPath = join(temporaryFolder(), 'root.key')
  for (const path of [rootKeyPath, `${rootKeyPath}.beside`]) writeFileSync(path, 'key')
  const { child } = vaultProcess({ rootKeyPath })
  child.kill('SIGKILL')
  const flags = child.spawnargs.slice(1, -1)
  const probe = fileURLToPath(new URL('./testing/try-rights.ts', import.meta.url))
  const told = execFileSync(child.spawnfile, [...flags, probe, rootKeyPath], { env: {} })
  assert.deepEqual(JSON.parse(String(told)), ['read its key', 'read its code'])
})
