import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../app/config.ts'
import { assert } from '../../trusted/base/assert.ts'
import { realWorld } from '../../trusted/base/real-world.ts'
import { isTooOpen, tooOpenAdvice } from '../../trusted/vault/keys/key-readers.ts'
import type { RootKeys } from '../../trusted/vault/keys/keyring.ts'
import type { Secret } from '../../trusted/base/secret.ts'
import { type FileKeys, NO_KEYS, passphraseKeys } from '../../trusted/vault/keys/file-keys.ts'
import { neededKeys } from '../../trusted/vault/keys/needed-keys.ts'
import { fileBeside, syncFolderOf } from '../app/file-beside.ts'
import { privateText } from '../../trusted/vault/keys/private-text.ts'
import { RootKeyError } from '../../trusted/vault/keys/root-key-error.ts'
import { newRootKeyFile, readRootKeyFile, rootKeyFile } from '../../trusted/vault/keys/root-key.ts'
import {
  type SealEntry,
  type SealedFile,
  sealedFileIn,
  sealedFileText,
} from '../../trusted/vault/keys/sealed-file.ts'
import { sealSettings } from '../app/seal-settings.ts'
import { newPassphraseIn } from '../../seals/passphrase.ts'
import type { SealSettings } from '../link/seal-process.ts'
import { unsealHere } from '../link/unseal-here.ts'
import { makeFolder } from '../store/make-folder.ts'
import { CommandError } from './command-error.ts'
import { hasOrganizations } from './has-organizations.ts'
import { putInPlace } from './put-in-place.ts'
import { readTextFile } from './read-file.ts'

/**
 * Makes the missing root key file, readable only by its owner, encrypted if a passphrase is set, and on the disk before
 * any row is sealed with it.
 *
 * @throws CommandError if organizations were sealed with another one
 */
export async function ensureRootKeyFile(config: Config): Promise<'made' | 'there'> {
  const path = config.rootKeyPath
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return 'there'
  if (await hasOrganizations(config))
    throw new CommandError(
      `there is no root key file ${path}, and a new one would not open the data, which has organizations: bring the file that belongs to it`,
    )
  const text = await newRootKeyFile(realWorld.randomBytes, newPassphraseOf(config))
  return writeNew(path, text) ? 'made' : 'there'
}

/**
 * A link is made completely or not at all, and never replaces an existing file.
 *
 * @returns false if another run has made the file meanwhile
 */
function writeNew(path: string, text: string): boolean {
  makeFolder(dirname(path))
  let isOwn: boolean | undefined
  for (let tries = 1; isOwn === undefined; tries++)
    isOwn = triedNew(path, text, { isLast: tries === TRIES_MAX })
  // Also for the file of another run, which may not have come so far.
  syncFolderOf(path)
  return isOwn
}

const TRIES_MAX = 10

/** Undefined if another run has taken the new file of this one for that of a killed run, and removed it. */
function triedNew(path: string, text: string, { isLast }: { readonly isLast: boolean }): boolean | undefined {
  const beside = writtenBeside(path, text, { ...ownerOf(dirname(path)), mode: 0o600 })
  try {
    linkSync(beside, path)
    return true
  } catch (error) {
    if (existsSync(path)) return false
    if (existsSync(beside) || isLast) throw error
    return undefined
  } finally {
    rmSync(beside, { force: true })
  }
}

/** Otherwise the vault could not read a file that root makes in the folder of the vault's user. */
function ownerOf(folder: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const { uid, gid } = statSync(folder)
  return { uid, gid }
}

/** The same for a command that starts its vault; a command that connects to a vault has no root key file. */
export function ownRootKeyFileTrouble(config: Config): string | undefined {
  return config.vaultPath === undefined ? rootKeyFileTrouble(config) : undefined
}

/**
 * Problems with the root key file as a file, for the operator; its content is checked by the vault.
 *
 * @throws an error of the system where this user may not look
 */
export function rootKeyFileTrouble({
  rootKeyPath: path,
  rootKeyReaders,
}: Pick<Config, 'rootKeyPath' | 'rootKeyReaders'>): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined)
    return `there is no root key file ${path}: bring the one of the data; for a new service, claviger init makes one`
  if (found.isDirectory()) return `the root key file ${path} is a folder: let CLAVIGER_ROOT_KEY name a file`
  return isTooOpen(found.mode, rootKeyReaders)
    ? `the root key file ${path} can be read by others ${tooOpenAdvice(found.mode)}`
    : undefined
}

/** A root key file that was read and may be written again. */
export type OpenedRootKeyFile = {
  readonly keys: RootKeys
  /** In plain text, or its protection. */
  readonly protection: Protection
  /**
   * Replaces it: completely or not at all, with the same owner and mode, and by default with the same protection.
   *
   * @throws CommandError if the file has changed since it was read
   */
  readonly replace: (keys: RootKeys, protection?: Protection) => Promise<OpenedRootKeyFile>
}

export type Protection =
  | { readonly kind: 'clear' }
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  | SealedProtection

export type SealedProtection = {
  readonly kind: 'sealed'
  readonly name: string
  readonly key: Secret
  readonly sealedBy: readonly SealEntry[]
}

/** The names of the seals of a file. */
export function sealNames(protection: Protection): readonly string[] {
  return protection.kind === 'sealed' ? protection.sealedBy.map(({ seal }) => seal) : []
}

/** @throws RootKeyError */
export async function openRootKeyFile(config: Config): Promise<OpenedRootKeyFile> {
  // The path may be a link, which stays a link.
  const path = realpathSync(config.rootKeyPath)
  const text = readFileSync(path, 'utf8')
  const { protection, fileKeys } = await opened(text, config)
  return openedFile(path, { text, protection, keys: readRootKeyFile(text, fileKeys) })
}

/** The keys of a root key file that its recovery has opened, and the function that writes them under other seals. */
type RecoveredRootKeyFile = {
  readonly keys: RootKeys
  readonly protection: SealedProtection
  readonly write: (protection: SealedProtection) => Promise<void>
}

/**
 * Opens the root key file, or a copy of a lost one, with the shares of its recovery.
 *
 * @throws RootKeyError
 */
export async function recoverRootKeyFile(config: Config, copy?: string): Promise<RecoveredRootKeyFile> {
  const { rootKeyPath } = config
  const text = privateText(copy ?? rootKeyPath, 'root key file', config.rootKeyReaders)
  const sealed = sealedFileIn(text)
  if (sealed === undefined) throw new RootKeyError('the root key file has no recovery')
  const settings = sealSettings({ ...config, rootKeyPath: copy ?? rootKeyPath }, process.env)
  const { protection, fileKeys } = await unsealed(text, sealed, settings, 'recovery')
  const keys = readRootKeyFile(text, fileKeys)
  const file =
    copy === undefined ? openedFile(realpathSync(rootKeyPath), { text, protection, keys }) : undefined
  return {
    keys,
    protection,
    write: async (next) => {
      if (file !== undefined) await file.replace(keys, next)
      else if (!writeNew(rootKeyPath, await protectedText(keys, next)))
        throw new CommandError(`${rootKeyPath} was made in the meantime: nothing was written`)
    },
  }
}

function openedFile(
  path: string,
  {
    text,
    protection,
    keys,
  }: { readonly text: string; readonly protection: Protection; readonly keys: RootKeys },
): OpenedRootKeyFile {
  return {
    keys,
    protection,
    replace: async (next, other = protection) => {
      const nextText = await protectedText(next, other)
      const beside = writtenBeside(path, nextText, statSync(path))
      try {
        putInPlace(path, { beside, text })
      } finally {
        rmSync(beside, { force: true })
      }
      syncFolderOf(path)
      return openedFile(path, { text: nextText, protection: other, keys: next })
    },
  }
}

/** The means of opening a file, from its settings: the passphrase here, and each seal in a process of its own. */
async function opened(
  text: string,
  config: Config,
): Promise<{ readonly protection: Protection; readonly fileKeys: FileKeys }> {
  const sealed = sealedFileIn(text)
  if (sealed !== undefined) return await unsealed(text, sealed, sealSettings(config, process.env))
  const { names } = neededKeys(text)
  const passphrase = passphraseOf(config)
  if (names.length === 0 || passphrase === undefined)
    return { protection: { kind: 'clear' }, fileKeys: NO_KEYS }
  return { protection: { kind: 'passphrase', passphrase }, fileKeys: await passphraseKeys(names, passphrase) }
}

async function unsealed(
  text: string,
  { key: name, sealedBy }: SealedFile,
  settings: SealSettings,
  by?: 'recovery',
) {
  const fileKeys = await unsealHere(text, settings, by)
  const key = fileKeys.get(name)
  assert(key !== undefined, 'what opens a sealed file is its own key')
  return { protection: { kind: 'sealed', name, key, sealedBy } as const, fileKeys }
}

async function protectedText(keys: RootKeys, protection: Protection): Promise<string> {
  const passphrase = protection.kind === 'passphrase' ? protection.passphrase : undefined
  const text = await rootKeyFile(keys, realWorld.randomBytes, passphrase)
  return protection.kind === 'sealed' ? sealedFileText(text, protection, realWorld.randomBytes) : text
}

function writtenBeside(
  path: string,
  text: string,
  { mode, uid, gid }: { readonly mode: number; readonly uid?: number; readonly gid?: number },
): string {
  const beside = fileBeside(path)
  const file = openSync(beside, 'wx', 0o600)
  try {
    // Unlike a single write, which ends without an error where the disk is full in the middle of the text.
    writeFileSync(file, text)
    if (uid !== undefined && gid !== undefined) fchownSync(file, uid, gid)
    fchmodSync(file, mode & 0o777)
    fsyncSync(file)
  } catch (error) {
    rmSync(beside)
    throw error
  } finally {
    closeSync(file)
  }
  return beside
}

/** For a new root key; the vault reads it again for itself. */
function newPassphraseOf({
  passphrasePath,
  passphrase,
  rootKeyReaders,
}: Pick<Config, 'passphrasePath' | 'passphrase' | 'rootKeyReaders'>): string | undefined {
  return passphrasePath === undefined ? passphrase : newPassphraseIn(passphrasePath, rootKeyReaders)
}

/** For one that exists: also one that an earlier version took and `newPassphraseOf` refuses. */
function passphraseOf(config: Config): string | undefined {
  return config.passphrasePath === undefined ? config.passphrase : passphraseIn(config.passphrasePath)
}

function passphraseIn(path: string): string {
  return readTextFile(path).replace(/\r?\n$/, '')
}
