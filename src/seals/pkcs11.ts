import { constants, createPublicKey, publicEncrypt } from 'node:crypto'
import { fromHex, fromUtf8, toHex, utf8 } from '../trusted/base/bytes.ts'
import { isPlain, oneOf, record, text, textLike } from '../trusted/base/plain.ts'
import { Secret } from '../trusted/base/secret.ts'
import { privateText } from '../trusted/vault/keys/private-text.ts'
import { RootKeyError } from '../trusted/vault/keys/root-key-error.ts'
import { checkParameters } from './check-parameters.ts'
import { runTool } from './run-tool.ts'
import { SealUnset } from './seal-unset.ts'
import type { Seal, SealMeans } from './seal.ts'

const HASHES = { sha1: 'SHA-1', sha256: 'SHA256' } as const
const MASKS = { sha1: 'MGF1-SHA1', sha256: 'MGF1-SHA256' } as const
const HASH_NAMES = ['sha1', 'sha256'] as const

const ID = textLike(/^([0-9a-f]{2})+$/, 'an id in hexadecimal')
const entry = record({
  seal: oneOf(['pkcs11']),
  token: text(100),
  id: ID,
  hash: oneOf(HASH_NAMES),
  wrapped: text(5_000),
})

/**
 * An RSA key in a device that speaks PKCS#11: the file key is encrypted to its public half (OAEP), and only the device
 * decrypts it.
 */
export const pkcs11: Seal = {
  name: 'pkcs11',
  isTried: true,
  close: async (key, { parameters, file }, means) => {
    const given = checkParameters('pkcs11', parameters, ['token', 'id'], ['hash'])
    const token = given['token'] ?? ''
    const id = (given['id'] ?? '').toLowerCase()
    if (!isPlain(ID, id)) throw new RootKeyError('id of the seal pkcs11 is in hexadecimal, such as 01')
    const hash = HASH_NAMES.find((name) => name === (given['hash'] ?? 'sha256'))
    if (hash === undefined) throw new RootKeyError('hash of the seal pkcs11 is sha256 or sha1')
    const read = ['--read-object', '--type', 'pubkey', '--id', id]
    const der = await runTool('pkcs11-tool', [...device(token, means), ...read], means)
    const wrapped = publicEncrypt(
      {
        key: publicKeyIn(der),
        padding: constants.RSA_PKCS1_OAEP_PADDING,
        oaepHash: hash,
      },
      Buffer.concat([key.reveal(), bound(file)]),
    )
    return { token, id, hash, wrapped: toHex(wrapped) }
  },
  open: async (found, file, means) => {
    if (!isPlain(entry, found))
      throw new RootKeyError('the root key file does not say which key of which token')
    const { token, id, hash } = found
    const { environment } = means
    const pin = pinOf(means)
    const trouble = await pinTrouble(token, LAST_TRY, means)
    if (trouble !== undefined) throw new RootKeyError(trouble)
    const printed = await runTool(
      'pkcs11-tool',
      [
        ...device(token, means),
        ...['--login', '--pin', 'env:CLAVIGER_PKCS11_PIN', '--decrypt', '--mechanism', 'RSA-PKCS-OAEP'],
        ...['--hash-algorithm', HASHES[hash], '--mgf', MASKS[hash], '--id', id],
      ],
      {
        environment: { ...environment, CLAVIGER_PKCS11_PIN: pin },
        input: fromHex(found.wrapped) ?? new Uint8Array(),
      },
    )
    const name = bound(file)
    if (printed.length !== 32 + name.length || toHex(printed.subarray(32)) !== toHex(name))
      throw new RootKeyError('the token decrypted something else than the key of this file')
    return new Secret(printed.subarray(0, 32))
  },
  // A device that was given no wrong PIN has all of its tries left.
  harmOfTrial: async (found, means) =>
    isPlain(entry, found) ? await pinTrouble(found.token, WRONG_PIN, means) : undefined,
}

/**
 * A token locks itself after a few wrong PINs. The right one resets their count, so a start gives the one that
 * it has, but never as the last try: a service that is started again and again would use up all of them.
 */
const LAST_TRY = /final user PIN try|user PIN locked/
const WRONG_PIN = new RegExp(`user PIN count low|${LAST_TRY.source}`)

/** Why the token is given no PIN while its flags are such. */
async function pinTrouble(token: string, flags: RegExp, means: SealMeans): Promise<string | undefined> {
  const printed = await runTool('pkcs11-tool', [...device(token, means), '--list-token-slots'], means)
  return flags.test(flagsOf(token, fromUtf8(printed) ?? ''))
    ? `the token ${token} was given a wrong PIN, and locks itself after a few: correct the PIN file, and log in to the token once by hand`
    : undefined
}

/** The flags of the token with this label, as `pkcs11-tool` prints them. */
function flagsOf(token: string, slots: string): string {
  const lines = slots.split('\n').map((line) => /^\s+token (label|flags)\s*: (.*)$/.exec(line) ?? [])
  const at = lines.findIndex(([, name, value]) => name === 'label' && value?.trimEnd() === token)
  return at < 0 ? '' : (lines.slice(at + 1).find(([, name]) => name === 'flags')?.[2] ?? '')
}

function device(token: string, { environment }: SealMeans): readonly string[] {
  const module = environment['CLAVIGER_PKCS11_MODULE']
  if (module === undefined)
    throw new SealUnset('the seal pkcs11 needs CLAVIGER_PKCS11_MODULE, the library of the device')
  return ['--module', module, '--token-label', token]
}

function pinOf({ environment }: SealMeans): string {
  const path = environment['CLAVIGER_PKCS11_PIN_FILE']
  if (path === undefined) throw new SealUnset('the seal pkcs11 needs CLAVIGER_PKCS11_PIN_FILE')
  return privateText(path, 'PIN file', environment['CLAVIGER_ROOT_KEY_READERS']).trim()
}

function publicKeyIn(der: Uint8Array) {
  try {
    return createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })
  } catch {
    throw new RootKeyError('the token has no public key under that id')
  }
}

/** The name of the file key is encrypted with it, to bind the token's answer to this file. */
function bound(file: string): Uint8Array {
  return utf8(file)
}
