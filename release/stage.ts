import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { emit } from './emit.ts'
import { readLockFile, runningPackages } from './lock-file.ts'
import { outputOf } from './output-of.ts'
import { packageJson, readProjectFile, shrinkwrap } from './package-json.ts'
import { sameModes } from './same-modes.ts'

/**
 * What the package carries beside what is emitted: what runs or is served as it is, and what every package says of
 * itself.
 */
const COPIED = [
  'bin/claviger.js',
  'examples/first-signature.js',
  'examples/two-people.js',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
]

/** Lays everything that the package carries into this folder, which is emptied first. */
export function stage(root: URL, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  emit(root, folder)
  for (const path of COPIED) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    copyFileSync(fileURLToPath(new URL(path, root)), join(folder, path))
  }
  // Without the blanks, which are a third of it.
  const description = JSON.parse(readFileSync(new URL('openapi.json', root), 'utf8')) as object
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(description))
  // In processes of their own: what builds them keeps running for a while.
  const write = fileURLToPath(new URL('release/write-pages.ts', root))
  for (const name of ['console', 'frames'])
    outputOf(process.execPath, [write, name, join(folder, name)], root)
  const project = readProjectFile(root)
  const locked = readLockFile(root)
  const running = runningPackages(locked, Object.keys(project.dependencies))
  const packages = Object.fromEntries(running.map(({ folder: at }) => [at, locked[at] ?? {}]))
  writeJson(join(folder, 'package.json'), packageJson(project))
  writeJson(join(folder, 'npm-shrinkwrap.json'), shrinkwrap(project, packages))
  sameModes(folder, join('bin', 'claviger.js'))
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}
