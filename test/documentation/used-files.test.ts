import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { projectFolder } from '../support/running-service.ts'
import { blocksOf } from './running/blocks.ts'

/** Files that no other block of their page uses: configurations, and the test that runs each or has it checked. */
const CHECKED: Readonly<Record<string, string>> = {
  'docs/how-to/agent-over-mcp.md: .mcp-http.json': 'packages/mcp/test/package.test.ts',
  'docs/how-to/agent-over-mcp.md: .mcp.json': 'packages/mcp/test/package.test.ts',
  'docs/how-to/containers.md: claviger.yaml': 'test/documentation/programs/configurations.test.ts',
  'docs/how-to/containers.md: compose-vault.yaml': 'test/documentation/programs/configurations.test.ts',
  'docs/how-to/containers.md: compose.yaml': 'test/documentation/programs/configurations.test.ts',
  'docs/how-to/frames.md: build.js': 'test/bundlers/bundlers.test.ts',
  'docs/how-to/frames.md: metro.config.js': 'test/bundlers/bundlers.test.ts',
  'docs/how-to/frames.md: vite.config.js': 'test/bundlers/bundlers.test.ts',
  'docs/how-to/frames.md: webpack.config.js': 'test/bundlers/bundlers.test.ts',
  'docs/how-to/high-availability.md: copy-standby.sh': 'test/faults/patroni-settings.ts',
  'docs/how-to/high-availability.md: start-patroni.sh': 'test/faults/patroni-settings.ts',
  'docs/how-to/production.md: claviger.service': 'test/documentation/programs/configurations.test.ts',
  'docs/how-to/rust.md: Cargo.toml': 'test/documentation/programs/rust.test.ts',
  'docs/how-to/rust.md: src/main.rs': 'test/documentation/programs/rust.test.ts',
  'docs/how-to/testing-with-the-emulator.md: .github/workflows/test.yml':
    'test/documentation/programs/configurations.test.ts',
  'docs/how-to/tls-and-proxies.md: Caddyfile': 'test/documentation/programs/proxies.test.ts',
  'docs/how-to/tls-and-proxies.md: claviger.conf': 'test/documentation/programs/proxies.test.ts',
  'docs/how-to/vault-of-its-own.md: claviger-vault.service':
    'test/documentation/programs/configurations.test.ts',
  'docs/how-to/vault-of-its-own.md: claviger.service': 'test/documentation/programs/configurations.test.ts',
}

test('each file of a guide is used by another block of its page, or by a test of its own', () => {
  const found = globSync('docs/{tutorials,how-to}/*.md', { cwd: projectFolder }).flatMap((page) => {
    const blocks = blocksOf(readFileSync(join(projectFolder, page), 'utf8'))
    return blocks.flatMap(({ is }, at) => {
      if (is.kind !== 'file') return []
      const names = [basename(is.name), basename(dirname(is.name))]
      const isUsed = blocks.some(
        ({ text }, other) => other !== at && names.some((name) => name.length > 1 && text.includes(name)),
      )
      return isUsed ? [] : [`${page}: ${is.name}`]
    })
  })
  assert.deepEqual(found.toSorted(), Object.keys(CHECKED).toSorted())
  for (const [file, path] of Object.entries(CHECKED)) {
    const name = file.slice(file.indexOf(': ') + 2)
    assert.ok(readFileSync(join(projectFolder, path), 'utf8').includes(`'${name}'`), `${path} has ${name}`)
  }
})
