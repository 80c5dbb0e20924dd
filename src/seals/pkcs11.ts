import { constants, createPublicKey, type KeyObject, publicEncrypt } from 'node:crypto'
import { fromHex, toHex, utf8 } from '../trusted/base/bytes.ts'
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
    const { slot } = await tokenNamed(token, means)
    const der = await runTool('pkcs11-tool', [...device(means), '--slot', slot, ...read], means)
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
    const { slot, flags } = await tokenNamed(token, means)
    if (LAST_TRY.test(flags)) throw new RootKeyError(pinTrouble(token))
    const printed = await runTool(
      'pkcs11-tool',
      [
        ...device(means),
        ...[
          '--slot',
          slot,
          '--login',
          '--pin',
          'env:CLAVIGER_PKCS11_PIN',
          '--decrypt',
          '--mechanism',
          'RSA-PKCS-OAEP',
        ],
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
  harmOfTrial: async (found, means) => {
    if (!isPlain(entry, found)) return undefined
    const { flags } = await tokenNamed(found.token, means)
    return WRONG_PIN.test(flags) ? pinTrouble(found.token) : undefined
  },
}

/**
 * A token locks itself after a few wrong PINs. The right one resets their count, so a start gives the one that
 * it has, but never as the last try: a service that is started again and again would use up all of them.
 */
const LAST_TRY = /final user PIN try|user PIN locked/
const WRONG_PIN = new RegExp(`user PIN count low|${LAST_TRY.source}`)

function pinTrouble(token: string): string {
  return `the token ${token} was given a wrong PIN, and locks itself after a few: correct the PIN file, and log in to the token once by hand`
}

/** A token of the device, as `pkcs11-tool` lists it. */
type Token = { readonly slot: string; readonly label: string; readonly flags: string }

/**
 * The token with exactly this label. The option `--token-label` means the first token whose label begins so, which may
 * be another one: the PIN would count there as a wrong one, until that token is locked.
 *
 * @throws RootKeyError
 */
async function tokenNamed(label: string, means: SealMeans): Promise<Token> {
  const printed = await runTool('pkcs11-tool', [...device(means), '--list-token-slots'], means)
  // Bytes that are no text, in the label of another token, hide nothing of this one.
  const found = tokensIn(Buffer.from(printed).toString('utf8')).find((token) => token.label === label)
  if (found !== undefined) return found
  throw new RootKeyError(
    `the device has no token with the label ${label}: pkcs11-tool --module LIBRARY --list-token-slots shows those that it has`,
  )
}

function tokensIn(slots: string): readonly Token[] {
  return slots.split(/^(?=Slot \d+ \()/m).flatMap((text) => {
    const slot = /^Slot \d+ \((0x[0-9a-f]+)\)/.exec(text)?.[1]
    const field = (name: string) =>
      new RegExp(`^\\s+token ${name}\\s*: (.*)$`, 'm').exec(text)?.[1]?.trimEnd()
    const [label, flags = ''] = [field('label'), field('flags')]
    return slot === undefined || label === undefined ? [] : [{ slot, label, flags }]
  })
}

function device({ environment }: SealMeans): readonly string[] {
  const module = environment['CLAVIGER_PKCS11_MODULE']
  if (module === undefined)
    throw new SealUnset('the seal pkcs11 needs CLAVIGER_PKCS11_MODULE, the library of the device')
  return ['--module', module]
}

function pinOf({ environment }: SealMeans): string {
  const path = environment['CLAVIGER_PKCS11_PIN_FILE']
  if (path === undefined) throw new SealUnset('the seal pkcs11 needs CLAVIGER_PKCS11_PIN_FILE')
  return privateText(path, 'PIN file', environment['CLAVIGER_ROOT_KEY_READERS']).trim()
}

/** @throws RootKeyError for a key to which nothing is encrypted, or that has no room for the key of a file */
function publicKeyIn(der: Uint8Array): KeyObject {
  const key = keyIn(der)
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'rsa' && modulusLength >= RSA_BITS_MIN) return key
  throw new RootKeyError(`the key under that id is not an RSA key of ${RSA_BITS_MIN} bits or more`)
}

const RSA_BITS_MIN = 2048

function keyIn(der: Uint8Array): KeyObject {
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
