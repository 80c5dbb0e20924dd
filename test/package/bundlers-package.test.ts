import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { outputOf } from '../../release/output-of.ts'
import { projectFolder, temporaryFolder } from '../support/running-service.ts'
import { packed } from './packed.ts'

const { npm, folder, version } = packed
const application = anApplication()
const own = join(application, 'node_modules', 'claviger-turnkey-crypto')

test('the package for bundlers carries its two files, and says nothing of a clone', () => {
  const listed = outputOf('tar', ['-tzf', join(folder, `claviger-turnkey-crypto-${version}.tgz`)], here())
  assert.deepEqual(listed.split('\n').toSorted(), [
    'package/LICENSE',
    'package/README.md',
    'package/package.json',
    'package/src/bundler.js',
    'package/src/crypto.js',
  ])
  const file: unknown = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'))
  assert.ok(typeof file === 'object' && file !== null && !('private' in file) && !('scripts' in file))
})

test('its bill of materials names the package, its tarball, and no other package', () => {
  // It is ours, and the other tests of a release read the same form.
  const bill = JSON.parse(
    readFileSync(join(folder, `claviger-turnkey-crypto-${version}.cdx.json`), 'utf8'),
  ) as {
    readonly metadata: { readonly component: { readonly name: string } }
    readonly components: readonly object[]
    readonly dependencies: readonly object[]
  }
  assert.equal(bill.metadata.component.name, 'claviger-turnkey-crypto')
  assert.deepEqual(bill.components, [])
  assert.deepEqual(bill.dependencies, [{ ref: `claviger-turnkey-crypto@${version}`, dependsOn: [] }])
})

test('installed from its tarball, it gives a bundle the keys of the service', () => {
  const key = `04${'ab'.repeat(64)}`
  writeFileSync(
    join(application, 'claviger-keys.json'),
    JSON.stringify({ signer: key, session: key, otp: key, oauth2: key }),
  )
  const program = `console.log(JSON.stringify(
    await (await import('claviger-turnkey-crypto')).cryptoAliases('http://127.0.0.1:1')))`
  const aliases = JSON.parse(outputOf(process.execPath, ['--input-type=module', '-e', program], here()))
  assert.ok(aliases['@turnkey/crypto'].startsWith(own), aliases['@turnkey/crypto'])
  const [built] = buildSync({
    stdin: { contents: "export * from '@turnkey/crypto'", resolveDir: application },
    alias: aliases,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  }).outputFiles
  assert.ok(built?.text.includes(key))
})

function here(): URL {
  return pathToFileURL(`${application}/`)
}

/** With the published package that the tests of this clone use, and ours as npm installs it. */
function anApplication(): string {
  const at = temporaryFolder()
  const published = createRequire(join(projectFolder, 'package.json')).resolve('@turnkey/crypto')
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, 'package.json'), '{"name":"shop","type":"module"}')
  npm.npm(
    [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--legacy-peer-deps',
      join(folder, `claviger-turnkey-crypto-${version}.tgz`),
    ],
    at,
  )
  outputOf(
    'ln',
    ['-s', join(published, '..', '..', '..'), join(at, 'node_modules', '@turnkey')],
    pathToFileURL(`${at}/`),
  )
  return at
}
