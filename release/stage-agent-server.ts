import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outputOf } from './output-of.ts'
import { publishable } from './publishable.ts'
import { sameModes } from './same-modes.ts'

/** Lays everything that the package of the server for agents carries into this folder, which is emptied first. */
export function stageAgentServer(root: URL, server: URL, folder: string): void {
  if (!existsSync(new URL('node_modules/', server))) outputOf('npm', ['ci', '--ignore-scripts'], server)
  // Beside its sources, so that no map names where they were on this machine.
  const built = new URL('dist/', server)
  rmSync(built, { recursive: true, force: true })
  const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root))
  outputOf(process.execPath, [compiler, '-p', 'tsconfig.build.json'], server)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(built, join(folder, 'dist'), { recursive: true })
  copyFileSync(new URL('LICENSE', root), join(folder, 'LICENSE'))
  copyFileSync(new URL('README.md', server), join(folder, 'README.md'))
  publishable(server, folder)
  sameModes(folder, join('dist', 'main.js'))
}
