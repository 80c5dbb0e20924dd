import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { publishable } from './publishable.ts'
import { sameModes } from './same-modes.ts'

/** By their names: beside them may be files that git leaves out, such as a log. */
const SOURCES = ['src/bundler.js', 'src/crypto.js']

/** Lays everything that the package for bundlers carries into this folder, which is emptied first. */
export function stageCrypto(root: URL, crypto: URL, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'src'), { recursive: true })
  for (const path of SOURCES) copyFileSync(new URL(path, crypto), join(folder, path))
  copyFileSync(new URL('LICENSE', root), join(folder, 'LICENSE'))
  copyFileSync(new URL('README.md', crypto), join(folder, 'README.md'))
  publishable(crypto, folder)
  sameModes(folder)
}
