import { scrypt } from 'node:crypto'
import { fromHex, toHex } from '../../base/bytes.ts'
import { Secret } from '../../base/secret.ts'
import { RootKeyError } from './root-key-error.ts'

/**
 * Keys of 32 bytes under which a root key file is encrypted, by their names in the file: a salt, or the name of its
 * file key.
 */
export type FileKeys = ReadonlyMap<string, Secret>

export const NO_KEYS: FileKeys = new Map()

const SALT_BYTES = 16
// 128 MiB and about half a second: once at each start, and for each guess of an attacker.
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 } as const

export function newSalt(randomBytes: (length: number) => Uint8Array): string {
  return toHex(randomBytes(SALT_BYTES))
}

/** @throws RootKeyError */
export function namedKey(keys: FileKeys, name: string): Secret {
  const key = keys.get(name)
  if (key === undefined)
    throw new RootKeyError(
      'the root key is encrypted: set CLAVIGER_ROOT_PASSPHRASE_FILE or CLAVIGER_ROOT_PASSPHRASE',
    )
  return key
}

/** The keys that a passphrase gives for a file with these salts. */
export async function passphraseKeys(salts: readonly string[], passphrase: string): Promise<FileKeys> {
  const keys = new Map<string, Secret>()
  for (const salt of salts) keys.set(salt, await stretched(passphrase, salt))
  return keys
}

/**
 * Runs on another thread, so that the process can serve requests meanwhile.
 *
 * @param salt  16 bytes in hexadecimal
 */
export function stretched(passphrase: string, salt: string): Promise<Secret> {
  const bytes = fromHex(salt)
  if (bytes?.length !== SALT_BYTES) throw new RootKeyError('a salt of the root key file is damaged')
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFKC'), bytes, 32, SCRYPT, (error, key) =>
      error === null ? resolve(new Secret(key)) : reject(error),
    ),
  )
}
