import { fromHex, toHex, utf8 } from '../../trusted/base/bytes.ts'
import { Secret } from '../../trusted/base/secret.ts'
import { open, seal } from '../../trusted/crypto/hpke.ts'
import { generateP256Secret, isP256Secret, p256PublicKeyOf, readP256Key } from '../../trusted/crypto/p256.ts'
import { RootKeyError } from '../../trusted/vault/keys/root-key-error.ts'

type RandomBytes = (length: number) => Uint8Array

const ENCAPPED_BYTES = 65

/** The key pair of a new set of shares: the secret to share, and its public key. */
export function newSet(randomBytes: RandomBytes): { readonly secret: Secret; readonly set: string } {
  const secret = new Secret(generateP256Secret(randomBytes))
  return { secret, set: p256PublicKeyOf(secret.reveal()) }
}

/** The key of a file, encrypted to a set (RFC 9180), which needs no shares. */
export function wrappedFor(
  set: string,
  {
    key,
    file,
    randomBytes,
  }: { readonly key: Secret; readonly file: string; readonly randomBytes: RandomBytes },
): string {
  const receiver = fromHex(readP256Key(set)?.uncompressed ?? '')
  if (receiver === undefined) throw new RootKeyError('the recovery names no public key')
  const { encappedPublic, ciphertext } = seal({
    receiver,
    info: INFO,
    aad: () => bound(set, file),
    plaintext: key.reveal(),
    ephemeral: generateP256Secret(randomBytes),
  })
  return toHex(encappedPublic) + toHex(ciphertext)
}

/** @throws RootKeyError */
export function unwrapped(
  secret: Secret,
  { set, wrapped }: { readonly set: string; readonly wrapped: string },
  file: string,
): Secret {
  if (!isP256Secret(secret.reveal()) || p256PublicKeyOf(secret.reveal()) !== set)
    throw new RootKeyError('the shares give another key than the one of this recovery')
  const bytes = fromHex(wrapped) ?? new Uint8Array()
  const key = open({
    receiver: secret.reveal(),
    info: INFO,
    aad: () => bound(set, file),
    encappedPublic: bytes.subarray(0, ENCAPPED_BYTES),
    ciphertext: bytes.subarray(ENCAPPED_BYTES),
  })
  if (key === undefined) throw new RootKeyError('the recovery was made for another root key file')
  return new Secret(key)
}

const INFO = utf8('claviger recovery 1')

function bound(set: string, file: string): Uint8Array {
  return utf8(`${set} ${file}`)
}
