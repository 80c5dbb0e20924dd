import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../../../test/support/running-service.ts'
import { serverIn } from './mcp.ts'
import { UsageError } from './usage.ts'

test('the server for agents is found in a clone, or how to get it is said in one sentence', () => {
  const folder = temporaryFolder()
  const clone = pathToFileURL(`${folder}/`)
  assert.equal(serverIn(clone), undefined)
  mkdirSync(join(folder, 'packages', 'mcp', 'src'), { recursive: true })
  writeFileSync(join(folder, 'packages', 'mcp', 'src', 'mcp.ts'), '')
  assert.throws(() => serverIn(clone), {
    name: UsageError.name,
    message: 'its packages are missing: npm ci --ignore-scripts --prefix packages/mcp',
  })
  mkdirSync(join(folder, 'packages', 'mcp', 'node_modules'))
  assert.equal(serverIn(clone), new URL('packages/mcp/src/mcp.ts', clone).href)
})
