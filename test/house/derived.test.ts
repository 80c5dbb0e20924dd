import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { derivedFiles } from '../../src/host/cli/derived-files.ts'
import { root } from './sources.ts'

for (const [path, text] of derivedFiles(root)) {
  test(`${path} is as \`npm run derive\` writes it`, () => {
    assert.ok(
      readFileSync(new URL(path, root), 'utf8') === text,
      'run `npm run derive` and review the difference',
    )
  })
}
