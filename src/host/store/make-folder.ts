import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { syncFolder } from '../../seals/durable-file.ts'

/** Makes a folder for its owner alone, with the missing ones above it, which survive a power failure from then on. */
export function makeFolder(path: string): void {
  const folder = resolve(path)
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made))
}
