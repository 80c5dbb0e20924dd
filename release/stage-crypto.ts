import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { publishable } from './publishable.ts'
import { sameModes } from './same-modes.ts'

/** Lays everything that the package for bundlers carries into this folder, which is emptied first. */
export function stageCrypto(root: URL, crypto: URL, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(new URL('src/', crypto), join(folder, 'src'), { recursive: true })
  copyFileSync(new URL('LICENSE', root), join(folder, 'LICENSE'))
  copyFileSync(new URL('README.md', crypto), join(folder, 'README.md'))
  publishable(crypto, folder)
  sameModes(folder)
}
