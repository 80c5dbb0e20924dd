import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../app/config.ts'
import { realWorld } from '../../trusted/base/real-world.ts'
import { isTooOpen, tooOpenAdvice } from '../../trusted/vault/key-readers.ts'
import type { RootKeys } from '../../trusted/vault/keyring.ts'
import { newRootKeyFile, readRootKeyFile, rootKeyFile } from '../../trusted/vault/root-key.ts'

/**
 * Makes the root key file where there is none, readable by its owner alone, encrypted where a passphrase is set, and on
 * the disk before anything is sealed with it.
 */
export async function ensureRootKeyFile(config: Config): Promise<'made' | 'there'> {
  const path = config.rootKeyPath
  if (existsSync(path)) return 'there'
  const text = await newRootKeyFile(realWorld.randomBytes, passphraseOf(config))
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // A link is made whole or not at all, and never in the place of a file that is there.
  const beside = writtenBeside(path, text, { mode: 0o600 })
  try {
    linkSync(beside, path)
  } finally {
    rmSync(beside)
  }
  syncFolder(path)
  return 'made'
}

/** What is wrong with the root key file as a file, for the operator; what is in it is the vault's matter. */
export function rootKeyFileTrouble({
  rootKeyPath: path,
  rootKeyReaders,
}: Pick<Config, 'rootKeyPath' | 'rootKeyReaders'>): string | undefined {
  if (!existsSync(path)) return `there is no root key file ${path}: claviger init makes one`
  const { mode } = statSync(path)
  return isTooOpen(mode, rootKeyReaders)
    ? `the root key file ${path} can be read by others ${tooOpenAdvice(mode)}`
    : undefined
}

/** A root key file as it was read, to be written once more. */
export type OpenedRootKeyFile = {
  readonly keys: RootKeys
  /**
   * Puts another one in its place: whole or not at all, with the same owner and mode.
   *
   * @throws Error where the file has changed since it was read
   */
  readonly replace: (keys: RootKeys, passphrase?: string | null) => Promise<OpenedRootKeyFile>
}

/** @throws RootKeyError */
export async function openRootKeyFile(
  config: Config,
  passphrase: string | undefined = passphraseOf(config),
): Promise<OpenedRootKeyFile> {
  // What is named may be a link, which stays one.
  const path = realpathSync(config.rootKeyPath)
  const text = readFileSync(path, 'utf8')
  return {
    keys: await readRootKeyFile(text, passphrase),
    replace: async (keys, other = isEncrypted(text) ? passphrase : null) => {
      const next = await rootKeyFile(keys, realWorld.randomBytes, other ?? undefined)
      const beside = writtenBeside(path, next, statSync(path))
      if (readFileSync(path, 'utf8') !== text) {
        rmSync(beside)
        throw new Error(`${path} was changed by somebody else meanwhile: nothing was written`)
      }
      renameSync(beside, path)
      syncFolder(path)
      return await openRootKeyFile(config, other ?? undefined)
    },
  }
}

export function isEncrypted(text: string): boolean {
  return !text.includes('"key"')
}

function writtenBeside(
  path: string,
  text: string,
  { mode, uid, gid }: { readonly mode: number; readonly uid?: number; readonly gid?: number },
): string {
  const beside = `${path}.new`
  // What a run that was interrupted has left is of no use.
  rmSync(beside, { force: true })
  const file = openSync(beside, 'wx', 0o600)
  try {
    writeSync(file, text)
    if (uid !== undefined && gid !== undefined) fchownSync(file, uid, gid)
    fchmodSync(file, mode & 0o777)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return beside
}

function syncFolder(path: string): void {
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** The passphrase encrypts a root key that is made now; the vault reads it again for itself. */
function passphraseOf(config: Config): string | undefined {
  return config.passphrasePath === undefined ? config.passphrase : passphraseIn(config.passphrasePath)
}

export function passphraseIn(path: string): string {
  return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
}
