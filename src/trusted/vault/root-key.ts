import { scryptSync } from 'node:crypto'
import { fromHex, toHex, utf8 } from '../base/bytes.ts'
import { Secret } from '../base/secret.ts'
import { open, seal } from '../crypto/aead.ts'
import { aesKey } from '../crypto/aes-gcm.ts'
import type { RootKey } from './keyring.ts'

/**
 * The text of a root key file: one JSON object. Each version holds 32 bytes, in the clear for a file that only its owner can
 * read, or encrypted under a passphrase (scrypt, RFC 7914, and AES-256-GCM).
 */
type RootKeyFile = { readonly format: typeof FORMAT; readonly versions: readonly StoredVersion[] }

type StoredVersion =
  | { readonly version: number; readonly key: string }
  | { readonly version: number; readonly salt: string; readonly sealed: string }

const FORMAT = 'claviger root key 1'
const KEY_BYTES = 32
const SALT_BYTES = 16
/** Each seal names its version, in at most six digits. */
const VERSION_MAX = 999_999
// 128 MiB and about half a second: once at each start, and each time for whoever guesses.
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 } as const

/** Why a root key cannot be used, in words for the operator. */
export class RootKeyError extends Error {
  override readonly name = 'RootKeyError'
}

/** The text of a new file with version 1. */
export function newRootKeyFile(randomBytes: (length: number) => Uint8Array, passphrase?: string): string {
  const key = randomBytes(KEY_BYTES)
  const file: RootKeyFile = { format: FORMAT, versions: [stored(1, key, randomBytes, passphrase)] }
  key.fill(0)
  return `${JSON.stringify(file, undefined, 2)}\n`
}

/** @throws RootKeyError that says what is wrong, and nothing of the key */
export function readRootKeyFile(text: string, passphrase: string | undefined): readonly RootKey[] {
  const file = parsed(text)
  if (file?.format !== FORMAT || !Array.isArray(file.versions) || file.versions.length === 0)
    throw new RootKeyError(`the root key file does not say "format": "${FORMAT}" with at least one version`)
  const numbers = file.versions.map(({ version }) => version)
  const twice = numbers.find((version, index) => numbers.indexOf(version) !== index)
  if (twice !== undefined) throw new RootKeyError(`the root key file holds version ${twice} twice`)
  return file.versions.map((version) => ({
    version: version.version,
    secret: new Secret(keyOf(version, passphrase)),
  }))
}

function stored(
  version: number,
  key: Uint8Array,
  randomBytes: (length: number) => Uint8Array,
  passphrase: string | undefined,
): StoredVersion {
  if (passphrase === undefined) return { version, key: toHex(key) }
  const salt = randomBytes(SALT_BYTES)
  const sealed = seal({
    key: wrappingKey(passphrase, salt),
    nonce: randomBytes(12),
    aad: bound(version),
    plaintext: key,
  })
  return { version, salt: toHex(salt), sealed: toHex(sealed) }
}

function keyOf(stored: StoredVersion, passphrase: string | undefined): Uint8Array {
  if (!Number.isInteger(stored.version) || stored.version < 1 || stored.version > VERSION_MAX)
    throw new RootKeyError(`a root key version is a whole number from 1 to ${VERSION_MAX}`)
  if ('key' in stored) {
    const key = fromHex(String(stored.key))
    if (key?.length !== KEY_BYTES)
      throw new RootKeyError(`root key version ${stored.version} is not 32 bytes in hexadecimal`)
    return key
  }
  if (passphrase === undefined)
    throw new RootKeyError(
      'the root key is encrypted: set CLAVIGER_ROOT_PASSPHRASE_FILE or CLAVIGER_ROOT_PASSPHRASE',
    )
  const salt = fromHex(String(stored.salt))
  const sealed = fromHex(String(stored.sealed))
  if (salt?.length !== SALT_BYTES || sealed === undefined)
    throw new RootKeyError(`root key version ${stored.version} is damaged`)
  const key = open({ key: wrappingKey(passphrase, salt), aad: bound(stored.version), sealed })
  if (key?.length !== KEY_BYTES) throw new RootKeyError('the passphrase does not open the root key')
  return key
}

function wrappingKey(passphrase: string, salt: Uint8Array) {
  return aesKey(scryptSync(passphrase.normalize('NFKC'), salt, 32, SCRYPT))
}

function bound(version: number): Uint8Array {
  return utf8(`${FORMAT} version ${version}`)
}

function parsed(text: string): RootKeyFile | undefined {
  try {
    // Whatever it is, each part is looked at before it is used.
    return JSON.parse(text) as RootKeyFile
  } catch {
    return undefined
  }
}
