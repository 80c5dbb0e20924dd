import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { billOfMaterials } from './bill-of-materials.ts'
import { releaseNotes } from './changelog.ts'
import { readLockFile, runningPackages } from './lock-file.ts'
import { outputOf } from './output-of.ts'
import { CRYPTO, OPTIONAL_PACKAGES, pack, packCrypto, packOptional } from './pack.ts'
import { readProjectFile } from './package-json.ts'

/**
 * `npm run package -- --out FOLDER` makes the packages of this clone as it stands: the service, those with
 * dependencies of their own, and the package for bundlers.
 * `npm run release -- --out FOLDER` makes all that a release consists of, from a commit, and publishes nothing.
 */
const root = new URL('../', import.meta.url)

/** Where each stands in a clone. */
const PACKAGES = [
  { called: 'the service', at: './', make: pack },
  ...OPTIONAL_PACKAGES.map(({ called, at }) => ({
    called,
    at,
    make: (from: URL, out: string) => packOptional(from, at, out),
  })),
  { called: 'the package for bundlers', at: CRYPTO, make: packCrypto },
] as const

try {
  const { values } = parseArgs({ options: { out: { type: 'string' }, release: { type: 'boolean' } } })
  const { out } = values
  if (out === undefined) throw new Error('say where to put it: --out FOLDER')
  if (values.release === true) release(out)
  else console.log(PACKAGES.map(({ make }) => make(root, out)).join('\n'))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function release(out: string): void {
  const { version } = readProjectFile(root)
  releaseNotes(readFileSync(new URL('CHANGELOG.md', root), 'utf8'), version)
  for (const { at, called } of PACKAGES) {
    const { version: found } = readProjectFile(new URL(at, root))
    if (found !== version)
      throw new Error(`${called} has version ${found}: give it ${version}, it is released with the service`)
  }
  const commit = cleanCommit(version)
  const tarballs = PACKAGES.map(({ make }) => make(root, out))
  const bills = PACKAGES.map(({ at }, index) => writtenBill(new URL(at, root), tarballs[index] ?? '', commit))
  const sums = join(resolve(out), 'SHA256SUMS')
  const files = [...tarballs, ...bills]
  writeFileSync(sums, files.map((file) => `${sha256Of(file)}  ${basename(file)}\n`).join(''))
  console.log(`${[...files, sums].join('\n')}

Nothing is published. When the tests of commit ${commit} have passed:

  git tag -a v${version} -m 'Claviger ${version}' ${commit}
  git push origin v${version}
${tarballs.map((tarball) => `  npm publish ${tarball}`).join('\n')}
`)
}

/** What one of the packages is made of, beside its tarball: the path of it. */
function writtenBill(projectFolder: URL, tarball: string, commit: string): string {
  const project = readProjectFile(projectFolder)
  const dependencies = Object.keys(project.dependencies)
  // Without any there is no lock file either.
  const packages = dependencies.length === 0 ? [] : runningPackages(readLockFile(projectFolder), dependencies)
  const tools = {
    node: process.versions.node,
    npm: outputOf('npm', ['--version'], root),
    typescript: versionOf('node_modules/typescript/package.json'),
  }
  const bill = billOfMaterials(project, packages, { sha256: sha256Of(tarball), commit, tools })
  const file = tarball.replace(/\.tgz$/, '.cdx.json')
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`)
  return file
}

/** The commit that everything is made from. A tag of this version may be there already, on this commit and no other. */
function cleanCommit(version: string): string {
  if (!existsSync(new URL('.git', root)))
    throw new Error(`${fileURLToPath(root)} is not a clone: a release is made from a commit`)
  const changed = outputOf('git', ['status', '--porcelain'], root)
  if (changed !== '')
    throw new Error(`a release is made from a commit, and this clone has changes:\n${changed}`)
  const commit = outputOf('git', ['rev-parse', 'HEAD'], root)
  const tagged = outputOf('git', ['tag', '--points-at', commit, '--list', `v${version}`], root)
  if (tagged === '' && outputOf('git', ['tag', '--list', `v${version}`], root) !== '')
    throw new Error(`version ${version} is released already, from another commit: choose the next one`)
  return commit
}

function sha256Of(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

function versionOf(packageFile: string): string {
  // Every package has a version.
  return (JSON.parse(readFileSync(new URL(packageFile, root), 'utf8')) as { readonly version: string })
    .version
}
