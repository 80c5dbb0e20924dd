import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs'

/** Makes a file that is on the disk, but for its name: that is in its folder. */
export function writeSynced(path: string, text: string, mode: number): void {
  const out = openSync(path, 'wx', mode)
  try {
    // Unlike a single write, which ends without an error where the disk is full in the middle of the text.
    writeFileSync(out, text)
    fsyncSync(out)
  } catch (error) {
    rmSync(path)
    throw error
  } finally {
    closeSync(out)
  }
}

/** A new file survives a power failure only if its folder was synced. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
