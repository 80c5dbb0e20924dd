import { fromHex, toHex, utf8 } from '../trusted/base/bytes.ts'
import { anything, isPlain, openRecord, text } from '../trusted/base/plain.ts'
import { Secret } from '../trusted/base/secret.ts'
import { open, seal } from '../trusted/crypto/aead.ts'
import { aesKey, GCM_NONCE_LENGTH } from '../trusted/crypto/aes-gcm.ts'
import { newSalt, stretched } from '../trusted/vault/keys/file-keys.ts'
import { privateText } from '../trusted/vault/keys/private-text.ts'
import { RootKeyError } from '../trusted/vault/keys/root-key-error.ts'
import { checkParameters } from './check-parameters.ts'
import { SealUnset } from './seal-unset.ts'
import type { Seal, SealMeans } from './seal.ts'

const entry = openRecord({ seal: anything, salt: text(100), wrapped: text(200) })

/** A passphrase that is stretched by scrypt. To open, it is read from the file or the setting of the service. */
export const passphrase: Seal = {
  name: 'passphrase',
  isTried: false,
  close: async (key, { parameters, file }, { environment, randomBytes }) => {
    const { file: path = '' } = checkParameters('passphrase', parameters, ['file'])
    const salt = newSalt(randomBytes)
    const said = newPassphraseIn(path, environment['CLAVIGER_ROOT_KEY_READERS'])
    const wrapping = aesKey((await stretched(said, salt)).reveal())
    const nonce = randomBytes(GCM_NONCE_LENGTH)
    return { salt, wrapped: toHex(seal({ key: wrapping, nonce, aad: bound(file), plaintext: key.reveal() })) }
  },
  open: async (found, file, means) => {
    if (!isPlain(entry, found)) throw new RootKeyError('the root key file has no salt and no key for it')
    const wrapping = aesKey((await stretched(givenPassphrase(means), found.salt)).reveal())
    const key = open({ key: wrapping, aad: bound(file), sealed: fromHex(found.wrapped) ?? new Uint8Array() })
    if (key === undefined) throw new RootKeyError('the passphrase does not open the root key')
    return new Secret(key)
  },
}

/** As the settings of the service have it. */
export function givenPassphrase({ environment }: Pick<SealMeans, 'environment'>): string {
  const { CLAVIGER_ROOT_PASSPHRASE_FILE: path, CLAVIGER_ROOT_PASSPHRASE: given } = environment
  const said = path === undefined ? given : passphraseIn(path, environment['CLAVIGER_ROOT_KEY_READERS'])
  if (said !== undefined) return said
  throw new SealUnset(
    'the root key is encrypted: set CLAVIGER_ROOT_PASSPHRASE_FILE or CLAVIGER_ROOT_PASSPHRASE',
  )
}

/**
 * The passphrase under which a file is encrypted from now on.
 *
 * @param readers  `CLAVIGER_ROOT_KEY_READERS`
 * @throws RootKeyError
 */
export function newPassphraseIn(path: string, readers: string | undefined): string {
  const said = passphraseIn(path, readers)
  if (said.trim() === '') throw new RootKeyError(`the passphrase file ${path} is empty`)
  // All bytes that are no UTF-8 are read as this one character, and would count for nothing.
  if (said.includes('\ufffd'))
    throw new RootKeyError(
      `the passphrase file ${path} is not a text in UTF-8: openssl rand -base64 24 prints a passphrase`,
    )
  // Under its own text a root key file would never open again, since that text is replaced.
  if (/"format":\s*"claviger root key/.test(said))
    throw new RootKeyError(
      `${path} is a root key file, and no passphrase file: name the file of the new passphrase`,
    )
  return said
}

function passphraseIn(path: string, readers: string | undefined): string {
  return privateText(path, 'passphrase file', readers).replace(/\r?\n$/, '')
}

function bound(file: string): Uint8Array {
  return utf8(`claviger passphrase seal ${file}`)
}
