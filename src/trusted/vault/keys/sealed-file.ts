import { fromHex, fromUtf8, toHex, utf8 } from '../../base/bytes.ts'
import { jsonIn } from '../../base/json-in.ts'
import {
  anything,
  entries,
  isPlain,
  list,
  oneOf,
  openRecord,
  record,
  text,
  textLike,
} from '../../base/plain.ts'
import { open, seal } from '../../crypto/aead.ts'
import { aesKey, GCM_NONCE_LENGTH } from '../../crypto/aes-gcm.ts'
import type { Secret } from '../../base/secret.ts'
import type { FileKeys } from './file-keys.ts'
import { RootKeyError } from './root-key-error.ts'

/** The entry of a seal in a file: the kind of seal and its key; never how to reach it, or with which rights. */
export type SealEntry = { readonly seal: string; readonly [parameter: string]: unknown }

/**
 * A root key file of format 3. Its keys are encrypted under one file key, and each seal alone gives that key. The keys
 * inside are the text of a file in the clear.
 */
export type SealedFile = {
  readonly format: typeof SEALED_FORMAT
  /** The name of the file key: 16 random bytes in hexadecimal, which reveal nothing about it. */
  readonly key: string
  readonly sealedBy: readonly SealEntry[]
  readonly sealed: string
}

const SEALED_FORMAT = 'claviger root key 3' as const
const SEALS_MAX = 8
const PARAMETERS_MAX = 20
const CONTENT_HEX_MAX = 1_000_000

const entry = openRecord({ seal: textLike(/^[a-z0-9-]{1,40}$/, 'the name of a seal') })
const sealedFile = record({
  format: oneOf([SEALED_FORMAT]),
  key: textLike(/^[0-9a-f]{32}$/, '16 bytes in hexadecimal'),
  sealedBy: list(entry, SEALS_MAX),
  sealed: text(CONTENT_HEX_MAX),
})

/**
 * @returns  undefined for a file of another format
 * @throws RootKeyError where it is of this format and damaged
 */
export function sealedFileIn(fileText: string): SealedFile | undefined {
  const file = jsonIn(fileText)
  if (!isPlain(openRecord({ format: oneOf([SEALED_FORMAT]) }), file)) return undefined
  const parameters = entries(anything, PARAMETERS_MAX)
  if (
    !isPlain(sealedFile, file) ||
    file.sealedBy.length === 0 ||
    !file.sealedBy.every((by) => isPlain(parameters, by))
  )
    throw new RootKeyError(
      'the root key file is damaged: it does not have a key, its seals and what they seal',
    )
  return file
}

/**
 * The keys inside, as a text in the clear.
 *
 * @throws RootKeyError where the file key is missing, or does not open it
 */
export function openSealedFile(file: SealedFile, keys: FileKeys): string {
  const key = keys.get(file.key)
  if (key === undefined)
    throw new RootKeyError(`the root key file is sealed (${sealNames(file)}), and was not opened`)
  const sealed = fromHex(file.sealed)
  const content =
    sealed === undefined ? undefined : open({ key: aesKey(key.reveal()), aad: bound(file), sealed })
  const opened = content === undefined ? undefined : fromUtf8(content)
  if (opened === undefined)
    throw new RootKeyError('the key that was handed over does not open the root key file')
  return opened
}

/** The text of a file with these keys, a text in the clear, under this file key. */
export function sealedFileText(
  content: string,
  {
    key,
    name,
    sealedBy,
  }: { readonly key: Secret; readonly name: string; readonly sealedBy: readonly SealEntry[] },
  randomBytes: (length: number) => Uint8Array,
): string {
  const file = { format: SEALED_FORMAT, key: name, sealedBy } as const
  const nonce = randomBytes(GCM_NONCE_LENGTH)
  const sealed = seal({ key: aesKey(key.reveal()), nonce, aad: bound(file), plaintext: utf8(content) })
  return `${JSON.stringify({ ...file, sealed: toHex(sealed) } satisfies SealedFile, undefined, 2)}\n`
}

function sealNames({ sealedBy }: Pick<SealedFile, 'sealedBy'>): string {
  return sealedBy.map(({ seal: name }) => name).join(', ')
}

/** Binds the seals, so that none can be removed, added or changed. */
function bound({ key, sealedBy }: Pick<SealedFile, 'key' | 'sealedBy'>): Uint8Array {
  return utf8(`${SEALED_FORMAT} ${key} ${JSON.stringify(sealedBy)}`)
}
