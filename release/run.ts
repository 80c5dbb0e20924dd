import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { billOfMaterials } from './bill-of-materials.ts'
import { releaseNotes } from './changelog.ts'
import { readLockFile, runningPackages } from './lock-file.ts'
import { outputOf } from './output-of.ts'
import { pack } from './pack.ts'
import { readProjectFile } from './package-json.ts'

/**
 * `npm run package -- --out FOLDER` makes the package of this clone as it stands.
 * `npm run release -- --out FOLDER` makes all that a release consists of, from a commit, and publishes nothing.
 */
const root = new URL('../', import.meta.url)

try {
  const { values } = parseArgs({ options: { out: { type: 'string' }, release: { type: 'boolean' } } })
  if (values.out === undefined) throw new Error('say where to put it: --out FOLDER')
  if (values.release === true) release(values.out)
  else console.log(pack(root, values.out))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function release(out: string): void {
  const project = readProjectFile(root)
  const { version } = project
  releaseNotes(readFileSync(new URL('CHANGELOG.md', root), 'utf8'), version)
  const commit = cleanCommit(version)
  const tarball = pack(root, out)
  const sha256 = sha256Of(tarball)
  const packages = runningPackages(readLockFile(root), Object.keys(project.dependencies))
  const bill = join(dirname(tarball), `${project.name}-${version}.cdx.json`)
  const tools = {
    node: process.versions.node,
    npm: outputOf('npm', ['--version'], root),
    typescript: versionOf('node_modules/typescript/package.json'),
  }
  writeFileSync(
    bill,
    `${JSON.stringify(billOfMaterials(project, packages, { sha256, commit, tools }), null, 2)}\n`,
  )
  const sums = join(dirname(tarball), 'SHA256SUMS')
  writeFileSync(sums, [tarball, bill].map((file) => `${sha256Of(file)}  ${basename(file)}\n`).join(''))
  console.log(`${tarball}
${bill}
${sums}

Nothing is published. When the tests of commit ${commit} have passed:

  git tag -a v${version} -m 'Claviger ${version}' ${commit}
  git push origin v${version}
  npm publish ${tarball}
`)
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
