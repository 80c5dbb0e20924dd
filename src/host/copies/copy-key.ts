import { fromHex, toHex } from '../../trusted/base/bytes.ts'
import type { Vault } from '../../protocol/vault.ts'
import { likeClaviger } from '../../seals/optional-package.ts'
import { KEPT_FILE } from './check-origin.ts'
import { CopyError } from './copy-error.ts'
import type { CopyHeader } from './copy-file.ts'

type KeyOfCopy = { readonly fileKey: Uint8Array; readonly key: CopyHeader['key'] }

/**
 * The holder of the root key can open a backup, or, if it has recipients, the holder of the identity of one of them.
 */
export async function newCopyKey(
  vault: Pick<Vault, 'copyKey'>,
  {
    recipients,
    randomBytes,
  }: {
    readonly recipients: readonly string[]
    readonly randomBytes: (length: number) => Uint8Array
  },
): Promise<KeyOfCopy> {
  if (recipients.length > 0) {
    const fileKey = randomBytes(32)
    return { fileKey, key: { age: await toRecipients(fileKey, recipients) } }
  }
  const salt = toHex(randomBytes(16))
  const { version, key } = await vault.copyKey({ salt })
  return { fileKey: keyIn(key), key: { rootVersion: version, salt } }
}

/** @throws CopyError if neither the root key nor one of the identities opens it */
export async function openCopyKey(
  vault: Pick<Vault, 'copyKey'>,
  of: CopyHeader['key'],
  identities: readonly string[],
): Promise<Uint8Array> {
  if (of.age !== undefined) return await withIdentities(of.age, identities)
  const key = await rootCopyKey(vault, of)
  if (key === undefined)
    throw new CopyError(
      `the backup is encrypted under version ${of.rootVersion} of the root key, which the root key file does not have: ` +
        KEPT_FILE,
    )
  return key
}

/**
 * @returns undefined if the root key does not open it: it is for recipients, or under a version that is missing here
 */
export async function rootCopyKey(
  vault: Pick<Vault, 'copyKey'>,
  { rootVersion, salt, age }: CopyHeader['key'],
): Promise<Uint8Array | undefined> {
  if (age !== undefined) return undefined
  if (rootVersion === undefined || salt === undefined)
    throw new CopyError('the backup does not name its encryption')
  const { key } = await vault.copyKey({ salt, version: rootVersion })
  return key === undefined ? undefined : keyIn(key)
}

function keyIn(hex: string | undefined): Uint8Array {
  const key = fromHex(hex ?? '')
  if (key?.length !== 32) throw new CopyError('the vault gave no key for the backup')
  return key
}

async function toRecipients(fileKey: Uint8Array, recipients: readonly string[]): Promise<string> {
  const { Encrypter } = await age()
  const encrypter = new Encrypter()
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient)
    } catch (error) {
      throw new CopyError(`${recipient} is not an age recipient, such as age1…`, { cause: error })
    }
  }
  return Buffer.from(await encrypter.encrypt(fileKey)).toString('base64')
}

async function withIdentities(sealed: string, identities: readonly string[]): Promise<Uint8Array> {
  if (identities.length === 0)
    throw new CopyError(
      'the backup is encrypted to recipients of age: name the file of an identity with --identity',
    )
  const { Decrypter } = await age()
  const decrypter = new Decrypter()
  try {
    for (const identity of identities) decrypter.addIdentity(identity)
    return await decrypter.decrypt(Buffer.from(sealed, 'base64'))
  } catch (error) {
    throw new CopyError('none of the identities opens the backup', { cause: error })
  }
}

/**
 * The module comes with the development tools of a clone, and not with the package: most backups are encrypted under
 * the root key.
 */
async function age() {
  try {
    return await import('age-encryption')
  } catch (error) {
    throw new CopyError(
      `recipients of age need the package age-encryption: npm install age-encryption@0.3.1${likeClaviger}`,
      { cause: error },
    )
  }
}
