import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectFolder } from '../support/running-service.ts'
import { blocksOf } from './running/blocks.ts'

/** How many blocks of a page no test runs: configuration of other programs, mostly. The fence of each has the reason. */
const NOT_RUN: Readonly<Record<string, number>> = {
  'docs/how-to/agent-over-mcp.md': 2,
  'docs/how-to/agents.md': 1,
  'docs/how-to/containers.md': 2,
  'docs/how-to/monitoring.md': 2,
  'docs/how-to/production.md': 1,
  'docs/how-to/python.md': 1,
  'docs/how-to/rust.md': 2,
  'docs/how-to/testing-with-the-emulator.md': 1,
  'docs/how-to/tls-and-proxies.md': 2,
}

test('only the blocks that are counted here are not run', () => {
  const found = globSync('docs/{tutorials,how-to}/*.md', { cwd: projectFolder }).flatMap((page) => {
    const foreign = blocksOf(readFileSync(join(projectFolder, page), 'utf8')).filter(
      ({ is }) => is.kind === 'foreign',
    )
    return foreign.length === 0 ? [] : [[page, foreign.length] as const]
  })
  assert.deepEqual(Object.fromEntries(found), NOT_RUN)
})
