import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { realWorld } from '../base/real-world.ts'
import { newRootKeyFile } from '../vault/root-key.ts'

/** Makes the root key file where there is none, readable by its owner alone, and on the disk before anything is sealed with it. */
export function ensureRootKeyFile(path: string, passphrase: string | undefined): 'made' | 'there' {
  if (existsSync(path)) return 'there'
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, 'wx', 0o600)
  try {
    writeSync(file, newRootKeyFile(realWorld.randomBytes, passphrase))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
  return 'made'
}
