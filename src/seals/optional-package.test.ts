import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../../test/support/running-service.ts'
import { optionalPackage } from './optional-package.ts'

test('a package with dependencies of its own is found in a clone, or how to get it is said', () => {
  const folder = temporaryFolder()
  const clone = pathToFileURL(`${folder}/`)
  const howTo = 'npm ci --ignore-scripts --prefix packages/mcp'
  assert.deepEqual(optionalPackage('mcp', clone), {
    kind: 'missing',
    howTo: 'npm install claviger-mcp, with --global if claviger was installed so',
  })
  mkdirSync(join(folder, 'packages', 'mcp', 'src'), { recursive: true })
  writeFileSync(join(folder, 'packages', 'mcp', 'src', 'mcp.ts'), '')
  assert.deepEqual(optionalPackage('mcp', clone), { kind: 'missing', howTo })
  mkdirSync(join(folder, 'packages', 'mcp', 'node_modules'))
  assert.deepEqual(optionalPackage('mcp', clone), {
    kind: 'found',
    address: new URL('packages/mcp/src/mcp.ts', clone).href,
    howTo,
  })
})
