import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../../../test/support/running-service.ts'
import { pageFiles } from './page-files.ts'

/** A clone, or a package, whose console has these files. */
function withConsole(files: Readonly<Record<string, string>>): URL {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'console'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'console', name), text)
  return pathToFileURL(`${folder}/`)
}

test('a clone without the tools says in a sentence what to do', async () => {
  const root = withConsole({ 'build.ts': "import 'a-tool-that-is-not-installed'" })
  await assert.rejects(pageFiles('console', root), {
    kind: 'pagesNotBuilt',
    message: /run npm ci without --omit=dev, and start the service again/,
  })
})

test('another fault of the build is told as what it is', async () => {
  const root = withConsole({ 'build.ts': "export const buildConsole = () => { throw new Error('broken') }" })
  await assert.rejects(pageFiles('console', root), /^Error: broken$/)
})

test('the package serves the files that its list names, and no other', async () => {
  const root = withConsole({ SHA256SUMS: `${'0'.repeat(64)}  app.js\n`, 'app.js': '1', 'other.js': '2' })
  const files = await pageFiles('console', root)
  assert.deepEqual(
    files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()]),
    [['app.js', '1']],
  )
})

test('a clone serves what its package would, so that either finds a host of the other the same', async () => {
  const files = "['app.js', 'SHA256SUMS'].map((name) => ({ name, bytes: Buffer.from('1') }))"
  const root = withConsole({ 'build.ts': `export const buildConsole = async () => ${files}` })
  assert.deepEqual(
    (await pageFiles('console', root)).map(({ name }) => name),
    ['app.js'],
  )
})
