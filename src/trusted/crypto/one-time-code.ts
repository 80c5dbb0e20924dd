import { hash, timingSafeEqual } from 'node:crypto'
import { assert } from '../base/assert.ts'
import { utf8 } from '../base/bytes.ts'
import { hkdfSha256 } from './hkdf.ts'
import { generateP256Secret } from './p256.ts'

/**
 * The code for a secret and an id, deterministically. Each character is uniform over the alphabet: the ten digits; or
 * the thirty characters that bech32 (BIP-173) and Crockford's base32 have in common, in upper case.
 *
 * @param inputs.secret  32 bytes, random
 * @param inputs.length  6 to 9
 */
export function oneTimeCode(inputs: {
  readonly secret: Uint8Array
  readonly otpId: string
  readonly length: number
  readonly alphanumeric: boolean
}): string {
  const { secret, otpId, length, alphanumeric } = inputs
  assert(secret.length === 32, 'the secret of a one-time code is 32 bytes')
  assert(Number.isInteger(length) && length >= 6 && length <= 9, 'a one-time code has 6 to 9 characters')
  const alphabet = alphanumeric ? COMMON : DIGITS
  const form = alphanumeric ? 'alphanumeric' : 'numeric'
  const bytes = hkdfSha256({
    ikm: secret,
    salt: EMPTY,
    info: utf8(`one-time code, ${form}, ${length}: ${otpId}`),
    length: DRAWN,
  })
  // Bytes beyond the last whole multiple are dropped: they would make the first characters more likely.
  const bound = 256 - (256 % alphabet.length)
  const code = [...bytes]
    .filter((byte) => byte < bound)
    .slice(0, length)
    .map((byte) => alphabet.charAt(byte % alphabet.length))
    .join('')
  bytes.fill(0)
  assert(code.length === length, 'of 64 bytes, 9 are below the bound')
  return code
}

/**
 * Whether a code is the expected one: in either case, with the look-alikes that Crockford's base32 reads as digits (O
 * as 0, I and L as 1), ignoring space around it. The time depends on the given text only, not on the expected one.
 */
export function matchesCode(expected: string, given: string): boolean {
  // Digests have one length, and a nearly equal digest tells nothing about the code.
  return timingSafeEqual(digestOf(expected), digestOf(given))
}

/**
 * The secret of the key to which a code is encrypted; deterministic for a secret and an id.
 *
 * @returns  P-256 scalar, 32 bytes, uniform; the caller wipes it
 */
export function otpTargetSecret(secret: Uint8Array, otpId: string): Uint8Array {
  assert(secret.length === 32, 'the secret of a one-time code is 32 bytes')
  let draw = 0
  return generateP256Secret((length) =>
    hkdfSha256({ ikm: secret, salt: EMPTY, info: utf8(`one-time code target, ${draw++}: ${otpId}`), length }),
  )
}

const DIGITS = '0123456789'
const COMMON = '023456789ACDEFGHJKMNPQRSTVWXYZ'
const EMPTY = new Uint8Array(0)

// One byte in sixteen is dropped; the chance that 56 of 64 are dropped is below 2^-190.
const DRAWN = 64

function digestOf(code: string): Uint8Array {
  const folded = code
    .trim()
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return hash('sha256', folded, 'buffer')
}
