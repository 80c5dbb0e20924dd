import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('./testing/old-objects.ts', import.meta.url))

test('objects begin among the young ones, where V8 by itself would place them among the old', () => {
  assert.ok(bytes() > 50_000, 'V8 by itself places none so')
  assert.ok(bytes('begin') < 5_000)
})

function bytes(...args: readonly string[]): number {
  const flags = ['--expose-gc', '--max-semi-space-size=1']
  return Number(execFileSync(process.execPath, [...flags, PROGRAM, ...args], { encoding: 'utf8' }))
}
