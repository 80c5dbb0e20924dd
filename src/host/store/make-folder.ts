import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Makes a folder for its owner alone, with the missing ones above it, which survive a power failure from then on. */
export function makeFolder(path: string): void {
  const folder = resolve(path)
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made))
}

// What is new in a folder is durable only after the folder was synced. SQLite itself does that for its files.
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
