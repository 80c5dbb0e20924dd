import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { outputOf } from '../../release/output-of.ts'
import { projectFolder, temporaryFolder } from '../support/running-service.ts'
import { packagesIn } from '../support/test-files.ts'
import { cleanNpm, type Npm } from './npm.ts'
import { newestNode, type Node, oldestNode } from './nodes.ts'

/** The release of this work tree, made in a clone of its own; all files of this folder share it. */
type Packed = {
  readonly npm: Npm
  readonly oldest: Node
  readonly newest: Node
  readonly clone: string
  /** What `npm run release` wrote, and where it put the files. */
  readonly said: string
  readonly folder: string
  readonly tarball: string
  readonly version: string
}

export const packed: Packed = pack()

function pack(): Packed {
  const npm = cleanNpm()
  const clone = cloneOfWorkTree()
  const { said, folder } = released(clone, npm)
  // It is ours, and names a version.
  const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')) as { version: string }
  const tarball = join(folder, `claviger-${version}.tgz`)
  return { npm, oldest: oldestNode(npm), newest: newestNode, clone, said, folder, tarball, version }
}

/** Runs `npm run release` in this clone, into a new folder. */
export function released(clone: string, { npm }: Npm): { readonly said: string; readonly folder: string } {
  const folder = join(temporaryFolder(), 'out')
  return { said: npm(['run', 'release', '--silent', '--', '--out', folder], clone), folder }
}

/** A repository with the files of this work tree as its one commit, and with a changelog that is ready for release. */
function cloneOfWorkTree(): string {
  const clone = join(temporaryFolder(), 'clone')
  const project = pathToFileURL(projectFolder)
  const listed = outputOf(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'],
    project,
  )
  const deleted = new Set(outputOf('git', ['ls-files', '--deleted'], project).split('\n'))
  for (const path of listed.split('\n'))
    if (/^(bin|console|frames|src|release|examples|packages)\/|^[^/]+$/.test(path) && !deleted.has(path)) {
      mkdirSync(dirname(join(clone, path)), { recursive: true })
      cpSync(join(projectFolder, path), join(clone, path))
    }
  const changelog = join(clone, 'CHANGELOG.md')
  writeFileSync(changelog, readFileSync(changelog, 'utf8').replace(', not released', ', 2026-11-30'))
  git(clone, ['init', '--quiet'])
  git(clone, ['add', '.'])
  git(clone, ['commit', '--quiet', '--message', 'The work tree'])
  withPackages(clone)
  return clone
}

/** A clone of a clone, elsewhere. */
export function cloneOf(clone: string): string {
  const other = join(temporaryFolder(), 'elsewhere', 'another clone')
  git(dirname(clone), ['clone', '--quiet', clone, other])
  withPackages(other)
  return other
}

export function git(folder: string, args: readonly string[]): string {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false']
  return outputOf('git', [...who, ...args], pathToFileURL(`${folder}/`))
}

/** As after `npm ci`; a link is not the folder that `.gitignore` names. */
function withPackages(clone: string): void {
  const packages = packagesIn(projectFolder).map(({ path }) => join(path, 'node_modules'))
  for (const path of ['node_modules', ...packages])
    if (existsSync(join(projectFolder, path))) symlinkSync(join(projectFolder, path), join(clone, path))
  writeFileSync(join(clone, '.git', 'info', 'exclude'), 'node_modules\n')
}
