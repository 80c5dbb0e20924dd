import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { howToGetIt, pythonIn } from './python.ts'

test('what is missing is installed where no other tool of the clone looks, and found there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-conform-'))
  try {
    assert.equal(pythonIn(folder, undefined), 'python3')
    const [, environment = ''] = /-m venv (\S+)/.exec(howToGetIt) ?? []
    // Lint, format and git take every other folder for a part of the clone.
    assert.match(environment, /^node_modules\//)
    mkdirSync(join(folder, environment, 'bin'), { recursive: true })
    writeFileSync(join(folder, environment, 'bin/python'), '')
    assert.equal(pythonIn(folder, undefined), join(folder, environment, 'bin/python'))
    assert.equal(pythonIn(folder, 'other/python'), resolve('other/python'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
