import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readLockFile, runningPackages } from './lock-file.ts'
import { outputOf } from './output-of.ts'
import { readProjectFile, shrinkwrap } from './package-json.ts'
import { publishable } from './publishable.ts'
import { sameModes } from './same-modes.ts'

/** Lays everything that a package with dependencies of its own carries into this folder, which is emptied first. */
export function stageOptionalPackage(root: URL, project: URL, folder: string): void {
  if (!existsSync(new URL('node_modules/', project))) outputOf('npm', ['ci', '--ignore-scripts'], project)
  // Beside its sources, so that no map names where they were on this machine.
  const built = new URL('dist/', project)
  rmSync(built, { recursive: true, force: true })
  const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root))
  outputOf(process.execPath, [compiler, '-p', 'tsconfig.build.json'], project)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(built, join(folder, 'dist'), { recursive: true })
  copyFileSync(new URL('LICENSE', root), join(folder, 'LICENSE'))
  copyFileSync(new URL('README.md', project), join(folder, 'README.md'))
  publishable(project, folder)
  const file = readProjectFile(project)
  const locked = readLockFile(project)
  const running = runningPackages(locked, Object.keys(file.dependencies))
  const packages = Object.fromEntries(running.map(({ folder: at }) => [at, locked[at] ?? {}]))
  const wrapped = JSON.stringify(shrinkwrap(file, packages), null, 2)
  writeFileSync(join(folder, 'npm-shrinkwrap.json'), `${wrapped}\n`)
  // Only the server for agents has a program.
  sameModes(folder, join('dist', 'main.js'))
}
