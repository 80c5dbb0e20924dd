import { jsonIn } from '../../base/json-in.ts'
import { fromHex, toHex, utf8 } from '../../base/bytes.ts'
import { Secret } from '../../base/secret.ts'
import { open, seal } from '../../crypto/aead.ts'
import { aesKey, GCM_NONCE_LENGTH } from '../../crypto/aes-gcm.ts'
import { type FileKeys, namedKey, newSalt, stretched } from './file-keys.ts'
import type { RootKeys } from './keyring.ts'
import { RootKeyError } from './root-key-error.ts'
import { openSealedFile, sealedFileIn } from './sealed-file.ts'
import { ROOT_VERSION_MAX } from './seal-text.ts'
import { isServicePurpose, isServiceState, type ServiceKey } from './service-secrets.ts'

/**
 * The text of a root key file: one JSON object. Each key in it is 32 bytes, in the clear for a file that only its owner
 * can read, or encrypted under a passphrase (scrypt, RFC 7914, and AES-256-GCM). Format 1 has a salt for each version,
 * and its highest version seals. Format 3 is `SealedFile`, with such a text in the clear inside.
 */
type RootKeyFile = {
  readonly format: unknown
  readonly salt?: unknown
  readonly seals?: unknown
  readonly versions: readonly StoredKey[]
  readonly service?: readonly StoredKey[]
}

/** A key with its properties, not validated yet. */
type StoredKey = { readonly [name: string]: unknown }

const FIRST_FORMAT = 'claviger root key 1'
const FORMAT = 'claviger root key 2'
const KEY_BYTES = 32

type RandomBytes = (length: number) => Uint8Array

/** The text of a new file with version 1, in the format that every version of the service reads. */
export async function newRootKeyFile(randomBytes: RandomBytes, passphrase?: string): Promise<string> {
  const secret = newRootSecret(randomBytes)
  const { salt, wrapping } = await newWrapping(randomBytes, passphrase)
  const wrapped = wrappedKey(secret, { wrapping, aad: boundFirst(1), randomBytes })
  secret.wipe()
  const version = { version: 1, ...salt, ...wrapped }
  return written({ format: FIRST_FORMAT, versions: [version] })
}

export function newRootSecret(randomBytes: RandomBytes): Secret {
  return new Secret(randomBytes(KEY_BYTES))
}

/** The text of a file with these keys, all of them in the clear or under the passphrase. */
export async function rootKeyFile(
  { versions, seals, service }: RootKeys,
  randomBytes: RandomBytes,
  passphrase: string | undefined,
): Promise<string> {
  const { salt, wrapping } = await newWrapping(randomBytes, passphrase)
  const wrap = (secret: Secret, what: string) =>
    wrappedKey(secret, { wrapping, aad: bound(what), randomBytes })
  return written({
    format: FORMAT,
    ...salt,
    seals,
    versions: versions.map(({ version, secret }) => ({ version, ...wrap(secret, versionName(version)) })),
    ...(service.length === 0
      ? {}
      : { service: service.map(({ secret, ...key }) => ({ ...key, ...wrap(secret, serviceName(key)) })) }),
  })
}

async function newWrapping(randomBytes: RandomBytes, passphrase: string | undefined) {
  if (passphrase === undefined) return { salt: {}, wrapping: undefined }
  const salt = newSalt(randomBytes)
  return { salt: { salt }, wrapping: aesKey((await stretched(passphrase, salt)).reveal()) }
}

function written(file: RootKeyFile): string {
  return `${JSON.stringify(file, undefined, 2)}\n`
}

/**
 * @param keys  the keys under which the file is encrypted; none for one in the clear
 * @throws RootKeyError with the reason, without revealing the key
 */
export function readRootKeyFile(text: string, keys: FileKeys): RootKeys {
  const sealed = sealedFileIn(text)
  return readPlainFile(sealed === undefined ? text : openSealedFile(sealed, keys), keys)
}

function readPlainFile(text: string, keys: FileKeys): RootKeys {
  const file = parsed(text)
  const isFirst = file?.format === FIRST_FORMAT
  if (
    file === undefined ||
    (!isFirst && file.format !== FORMAT) ||
    !isList(file.versions) ||
    !isList(file.service ?? [])
  )
    throw new RootKeyError(`the root key file does not say "format": "${FORMAT}" with at least one version`)
  const numbers = file.versions.map(({ version }) => versionNumber(version))
  const twice = numbers.find((version, index) => numbers.indexOf(version) !== index)
  if (twice !== undefined) throw new RootKeyError(`the root key file holds version ${twice} twice`)
  const seals = isFirst ? Math.max(...numbers) : file.seals
  const sealing = numbers.find((version) => version === seals)
  if (numbers.length === 0) throw new RootKeyError('the root key file holds no version')
  if (sealing === undefined)
    throw new RootKeyError(`the version that seals, ${String(seals)}, is not in the root key file`)
  const unwrap = unwrapper(keys)
  const fileSalt = isFirst ? undefined : file.salt
  const versions = []
  for (const stored of file.versions) {
    const version = versionNumber(stored['version'])
    const aad = isFirst ? boundFirst(version) : bound(versionName(version))
    const salt = isFirst ? stored['salt'] : fileSalt
    versions.push({ version, secret: unwrap(stored, { aad, salt, what: versionName(version) }) })
  }
  const service: ServiceKey[] = []
  for (const stored of isFirst ? [] : (file.service ?? [])) {
    const key = serviceKeyOf(stored)
    const what = serviceName(key)
    service.push({ ...key, secret: unwrap(stored, { aad: bound(what), salt: fileSalt, what }) })
  }
  return { versions, seals: sealing, service }
}

function isList(value: readonly unknown[]): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null)
}

function versionNumber(version: unknown): number {
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1 || version > ROOT_VERSION_MAX)
    throw new RootKeyError(`a root key version is a whole number from 1 to ${ROOT_VERSION_MAX}`)
  return version
}

function serviceKeyOf(stored: StoredKey): Omit<ServiceKey, 'secret'> {
  const { purpose, version, state, since, until } = stored
  if (!isServicePurpose(purpose) || !isServiceState(state) || !isInstant(since) || !isInstant(until))
    throw new RootKeyError('the root key file names a key of the service that this version does not know')
  return {
    purpose,
    version: versionNumber(version),
    state,
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  }
}

/** Or none. */
function isInstant(value: unknown): value is number | undefined {
  return value === undefined || Number.isSafeInteger(value)
}

function versionName(version: number): string {
  return `version ${version}`
}

function serviceName({ purpose, version }: Pick<ServiceKey, 'purpose' | 'version'>): string {
  return `${purpose} key, version ${version}`
}

function wrappedKey(
  secret: Secret,
  {
    wrapping,
    aad,
    randomBytes,
  }: { wrapping: WrappingKey | undefined; aad: Uint8Array; randomBytes: RandomBytes },
): StoredKey {
  if (wrapping === undefined) return { key: toHex(secret.reveal()) }
  const nonce = randomBytes(GCM_NONCE_LENGTH)
  return { sealed: toHex(seal({ key: wrapping, nonce, aad, plaintext: secret.reveal() })) }
}

type Wrapped = { readonly aad: Uint8Array; readonly salt: unknown; readonly what: string }

function unwrapper(keys: FileKeys) {
  return (stored: StoredKey, { aad, salt, what }: Wrapped): Secret => {
    if ('key' in stored) {
      const key = fromHex(String(stored['key']))
      if (key?.length !== KEY_BYTES)
        throw new RootKeyError(`${what} of the root key file is not 32 bytes in hexadecimal`)
      return new Secret(key)
    }
    const wrapping = namedKey(keys, String(salt))
    const sealed = fromHex(String(stored['sealed']))
    if (sealed === undefined) throw new RootKeyError(`${what} of the root key file is damaged`)
    const key = open({ key: aesKey(wrapping.reveal()), aad, sealed })
    if (key?.length !== KEY_BYTES) throw new RootKeyError('the passphrase does not open the root key')
    return new Secret(key)
  }
}

type WrappingKey = ReturnType<typeof aesKey>

function boundFirst(version: number): Uint8Array {
  return utf8(`${FIRST_FORMAT} version ${version}`)
}

function bound(what: string): Uint8Array {
  return utf8(`${FORMAT} ${what}`)
}

function parsed(text: string): RootKeyFile | undefined {
  // Each part is validated before it is used.
  return (jsonIn(text) as RootKeyFile | null | undefined) ?? undefined
}
