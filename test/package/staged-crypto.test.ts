import assert from 'node:assert/strict'
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { packCrypto } from '../../release/pack.ts'
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

test('packing leaves what is in the folder as it is, also a folder by the name of those of npm', () => {
  const out = temporaryFolder()
  mkdirSync(join(out, 'package'))
  writeFileSync(join(out, 'package', 'mine'), '')
  const tarball = packCrypto(pathToFileURL(`${projectFolder}/`), out)
  assert.ok(existsSync(tarball))
  assert.ok(existsSync(join(out, 'package', 'mine')))
  assert.equal(readdirSync(out).length, 2)
})
