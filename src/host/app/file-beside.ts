import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { toHex } from '../../trusted/base/bytes.ts'
import { realWorld } from '../../trusted/base/real-world.ts'

/**
 * A name beside a file for what is to take its place, which no other run has: two of them would otherwise write one
 * file, and one would put in place what the other has written half of. What runs that were killed have left is taken
 * away; where it was no leftover, the other run finds no file to put in place, and fails.
 */
export function fileBeside(path: string): string {
  const begins = `${basename(path)}.new`
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(begins) && LEFTOVER.test(name.slice(begins.length)))
      rmSync(join(dirname(path), name), { force: true })
  return `${path}.new-${toHex(realWorld.randomBytes(8))}`
}

const LEFTOVER = /^(-[0-9a-f]{16})?$/

/** A file that was renamed or made is there after a power failure only when its folder was written. */
export function syncFolderOf(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
