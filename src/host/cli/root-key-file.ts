import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../app/config.ts'
import { realWorld } from '../../trusted/base/real-world.ts'
import { newRootKeyFile } from '../../trusted/vault/root-key.ts'

/**
 * Makes the root key file where there is none, readable by its owner alone, encrypted where a passphrase is set, and on
 * the disk before anything is sealed with it.
 */
export function ensureRootKeyFile(config: Config): 'made' | 'there' {
  const path = config.rootKeyPath
  if (existsSync(path)) return 'there'
  const passphrase = passphraseOf(config)
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

/** What is wrong with the root key file as a file, for the operator; what is in it is the vault's matter. */
export function rootKeyFileTrouble(path: string): string | undefined {
  if (!existsSync(path)) return `there is no root key file ${path}: claviger init makes one`
  const { mode } = statSync(path)
  return (mode & 0o077) === 0 ? undefined : `the root key file ${path} can be read by others: chmod 600 it`
}

/** The passphrase encrypts a root key that is made now; the vault reads it again for itself. */
function passphraseOf(config: Config): string | undefined {
  if (config.passphrasePath === undefined) return config.passphrase
  return readFileSync(config.passphrasePath, 'utf8').replace(/\r?\n$/, '')
}
