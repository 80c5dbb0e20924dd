import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectFolder } from '../../support/running-service.ts'
import { pageFile } from './page-file.ts'

// The crates take minutes to compile, so `npm run languages -- rust` compiles the program of the page with its own.
const page = 'docs/how-to/rust.md'
const walk = join(projectFolder, 'test/languages/rust')

test('the program of the page on Rust is the one that npm run languages compiles and runs', () => {
  const program = readFileSync(join(walk, 'src/bin/first.rs'), 'utf8')
  assert.equal(pageFile({ page, file: 'src/main.rs' }), program)
})

test('the page on Rust names crates that npm run languages compiles, in the same versions', () => {
  const wanted = versionsIn(pageFile({ page, file: 'Cargo.toml' }))
  const compiled = versionsIn(readFileSync(join(walk, 'Cargo.toml'), 'utf8'))
  assert.equal(wanted.size, 2)
  for (const [name, version] of wanted) assert.ok(compiled.get(name)?.startsWith(version), name)
})

function versionsIn(manifest: string): ReadonlyMap<string, string> {
  const [, dependencies = ''] = manifest.split('[dependencies]\n')
  const [own = ''] = dependencies.split('\n[')
  return new Map(
    own
      .split('\n')
      .filter((line) => line.includes(' = '))
      .map((line) => [line.split(' = ')[0] ?? '', /"=?([\d.]+)"/.exec(line)?.[1] ?? '']),
  )
}
