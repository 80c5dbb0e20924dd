import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { toHex } from '../../trusted/base/bytes.ts'
import { realWorld } from '../../trusted/base/real-world.ts'
import { syncFolder } from '../../seals/durable-file.ts'

/**
 * A name beside a file for its replacement, unique to this run. With a common name, two runs would write the same file,
 * and one would put the other's incomplete text in place. Files of killed runs are removed, and no others. If such a
 * file belongs to a living run, that run finds no file to put in place, and fails.
 */
export function fileBeside(path: string): string {
  for (const beside of filesBeside(path)) rmSync(beside, { force: true })
  return `${path}.new-${toHex(realWorld.randomBytes(8))}`
}

/**
 * Replaces a file, or makes it, readable only by its owner. After a kill it has either its earlier or its new content.
 */
export function replaceFile(path: string, text: string): void {
  const partial = fileBeside(path)
  try {
    writeFileSync(partial, text, { mode: 0o600, flag: 'wx' })
    renameSync(partial, path)
  } finally {
    rmSync(partial, { force: true })
  }
}

/** The files of this kind that are there: of killed runs, or of living ones. */
export function filesBeside(path: string): readonly string[] {
  const begins = `${basename(path)}.new-`
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(begins) && LEFTOVER.test(name.slice(begins.length)))
    .map((name) => join(dirname(path), name))
}

/** A name without it may be a file of the operator's own. */
const LEFTOVER = /^[0-9a-f]{16}$/

/** A renamed or new file survives a power failure only if its folder was synced. */
export function syncFolderOf(path: string): void {
  syncFolder(dirname(path))
}
