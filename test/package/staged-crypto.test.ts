import assert from 'node:assert/strict'
import { cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { stageCrypto } from '../../release/stage-crypto.ts'
import { projectFolder, temporaryFolder } from '../support/running-service.ts'

test('the package for bundlers carries no file that git leaves out, which a clean clone may have', () => {
  const [crypto, staged] = [join(temporaryFolder(), 'crypto'), join(temporaryFolder(), 'staged')]
  cpSync(join(projectFolder, 'packages/turnkey-crypto'), crypto, { recursive: true })
  mkdirSync(join(crypto, 'src/.claviger'))
  for (const left of ['src/debug.log', 'src/.claviger/dev.env']) writeFileSync(join(crypto, left), 'secret')
  stageCrypto(pathToFileURL(projectFolder), pathToFileURL(`${crypto}/`), staged)
  assert.deepEqual(globSync('src/{*,.*/*}', { cwd: staged }).toSorted(), ['src/bundler.js', 'src/crypto.js'])
})
