import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readLockFile } from '../../release/lock-file.ts'
import { buildConsole } from '../../console/build.ts'
import { buildFrames } from '../../frames/build.ts'
import { ENTRIES, runningModules } from '../../release/running-modules.ts'
import { importsOf } from '../../src/host/cli/module-graph.ts'
import { projectFolder } from '../support/running-service.ts'
import { installed } from './installed.ts'
import { packed } from './packed.ts'

const { npm, clone, folder, version } = packed
const own = join(installed, 'node_modules', 'claviger')
const files = globSync('**/*', { cwd: own, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(own.length + 1))
  .toSorted()

test('the package carries what runs, its maps, declarations that others need, and nothing else', () => {
  const root = pathToFileURL(projectFolder)
  const modules = runningModules(root, Object.values(ENTRIES))
  assert.ok(modules.length > 700)
  for (const started of ['src/trusted/vault/process.ts', 'src/host/app/stall-watcher.ts'])
    assert.ok(modules.includes(started), started)
  const emitted = modules.map((path) => path.replace(/^src\/(.*)ts$/, 'lib/$1js'))
  const beside = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'bin/claviger.js']
  const examples = ['examples/first-signature.js', 'examples/two-people.js']
  const described = ['npm-shrinkwrap.json', 'openapi.json', 'package.json']
  assert.deepEqual(
    files.filter((file) => !file.endsWith('.d.ts') && !/^(console|frames)\//.test(file)),
    [...emitted, ...emitted.map((path) => `${path}.map`), ...beside, ...examples, ...described].toSorted(),
  )
})

test('the package carries console and frames as they are built, and says the digest of each of their files', async () => {
  for (const [of, built] of Object.entries({ console: await buildConsole(), frames: await buildFrames() })) {
    assert.deepEqual(
      files.filter((file) => file.startsWith(`${of}/`)),
      built.map(({ name }) => `${of}/${name}`).toSorted(),
    )
    for (const { name, bytes } of built) assert.ok(readFileSync(join(own, of, name)).equals(bytes), name)
  }
})

test('nothing of tests, benchmarks or tools is in the package, and no TypeScript but declarations', () => {
  const foreign = files.filter((file) =>
    /\.test\.|\/testing\/|^(test|bench|release|src)\/|(?<!\.d)\.ts$/.test(file),
  )
  assert.deepEqual(foreign, [])
})

test('every file that a file of the package imports or declares by is in it, and every map names its source', () => {
  for (const file of files.filter((name) => /^lib\/.*\.(js|ts)$/.test(name))) {
    const text = readFileSync(join(own, file), 'utf8')
    for (const { specifier } of importsOf(text))
      if (specifier.startsWith('.')) {
        const named = join(dirname(file), specifier)
        assert.ok(
          existsSync(join(own, file.endsWith('.d.ts') ? named.replace(/js$/, 'd.ts') : named)),
          `${file}: ${specifier}`,
        )
      }
  }
  for (const file of files.filter((name) => name.endsWith('.map'))) {
    const { sources } = JSON.parse(readFileSync(join(own, file), 'utf8')) as { sources: readonly string[] }
    const source = file.replace(/^lib\/(.*)\.js\.map$/, 'src/$1.ts')
    assert.deepEqual(
      sources.map((path) => join(dirname(file), path)),
      [source],
    )
    assert.ok(existsSync(join(clone, source)), source)
  }
})

test('a map leads from a line of a module to its line of the source', () => {
  let found = 0
  for (const file of files.filter((name) => /^lib\/trusted\/.*\.js$/.test(name))) {
    const map = new SourceMap(JSON.parse(readFileSync(join(own, `${file}.map`), 'utf8')) as SourceMapPayload)
    const source = readFileSync(join(clone, file.replace(/^lib\/(.*)\.js$/, 'src/$1.ts')), 'utf8').split('\n')
    readFileSync(join(own, file), 'utf8')
      .split('\n')
      .forEach((line, at) => {
        const name = /^(?:export )?(?:async )?function (\w+)\(/.exec(line)?.[1]
        if (name === undefined) return
        found += 1
        const entry = map.findEntry(at, line.indexOf(name))
        assert.ok('originalLine' in entry && source[entry.originalLine]?.includes(`function ${name}`), file)
      })
  }
  assert.ok(found > 500, `${found} functions`)
})

test('no module starts another one by a path that only a clone has', () => {
  const root = pathToFileURL(projectFolder)
  const wrong = runningModules(root, Object.values(ENTRIES)).filter((path) =>
    /new URL\(\s*['`]\.[^)]*\.ts['`]/.test(readFileSync(new URL(path, root), 'utf8')),
  )
  assert.deepEqual(wrong, [])
})

test('every file that a module of the package reads beside itself is in it', () => {
  const read = files
    .filter((name) => /^lib\/.*\.js$/.test(name))
    .flatMap((file) =>
      [...readFileSync(join(own, file), 'utf8').matchAll(/new URL\(\s*['"](\.[^'"]+\.json)['"]/g)].map(
        ([, path = '']) => join(dirname(file), path),
      ),
    )
  assert.ok(read.includes('openapi.json'))
  assert.deepEqual(
    read.filter((path) => !files.includes(path)),
    [],
  )
})

test('the package brings no Node, no tools, and no script of its own that runs when it is installed', () => {
  const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as Record<string, unknown>
  for (const name of ['scripts', 'devDependencies', 'optionalDependencies', 'private'])
    assert.equal(manifest[name], undefined, name)
  assert.deepEqual(manifest['engines'], { node: '^22.13.0 || >=24' })
})

test('an installation has at most 20 MB', () => {
  const bytes = globSync('**/*', { cwd: installed, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
  assert.ok(bytes > 10e6, 'the packages are there')
  assert.ok(bytes <= 20e6, `${bytes} bytes`)
})

test('the package pins every package that it brings, by the digest with which its tests ran', () => {
  const wrap = JSON.parse(readFileSync(join(own, 'npm-shrinkwrap.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity?: string }>
  }
  const locked = readLockFile(pathToFileURL(projectFolder))
  for (const [at, { integrity }] of Object.entries(wrap.packages))
    if (at !== '') assert.ok(integrity !== undefined && integrity === locked[at]?.integrity, at)
  assert.deepEqual(namesOf(Object.keys(wrap.packages)), namesOf(packagesIn(installed)))
})

test('the bill of materials names what npm finds installed, with the same needs', () => {
  const ours = JSON.parse(readFileSync(join(folder, `claviger-${version}.cdx.json`), 'utf8')) as Bill
  const found = JSON.parse(npm.npm(['sbom', '--sbom-format', 'cyclonedx'], installed)) as Bill
  const purls = (bill: Bill) => bill.components.map(({ purl }) => purl).toSorted()
  const self = `pkg:npm/claviger@${version}`
  assert.deepEqual(
    [...purls(ours), self].toSorted(),
    purls(found).map((purl) => purl.replace(/\?.*/, '')),
  )
  assert.ok(ours.components.every(({ hashes }) => hashes?.[0]?.content.length === 128))
  const needs = (bill: Bill) =>
    bill.dependencies.find(({ ref }) => ref === 'secp256k1@5.0.2')?.dependsOn.toSorted()
  assert.deepEqual(needs(ours), needs(found))
  const direct = ours.dependencies.find(({ ref }) => ref === `claviger@${version}`)?.dependsOn
  assert.equal(direct?.length, 10)
})

type Bill = {
  readonly components: readonly { purl: string; hashes?: readonly { content: string }[] }[]
  readonly dependencies: readonly { ref: string; dependsOn: readonly string[] }[]
}

function packagesIn(project: string): readonly string[] {
  const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>
  }
  return Object.keys(lock.packages)
}

function namesOf(folders: readonly string[]): readonly string[] {
  const names = folders.map((at) => at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length))
  return [...new Set(names)].filter((name) => name !== '' && name !== 'claviger').toSorted()
}
