import { fromHex, toBase64url, toHex } from './bytes.ts'

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** A key that this page can sign with and that nobody can read, with its public key in compressed hexadecimal. */
export type SigningKey = { readonly privateKey: CryptoKey; readonly publicKey: string }

export async function newSigningKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ECDSA, false, ['sign', 'verify'])
  return {
    privateKey,
    publicKey: compressed(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))),
  }
}

/** Undefined where the two are not the halves of one P-256 key. */
export async function importSigningKey(
  secretHex: string,
  publicKeyHex: string,
): Promise<SigningKey | undefined> {
  const secret = fromHex(secretHex)
  const point = fromHex(publicKeyHex)
  if (secret?.length !== 32 || point?.length !== 33 || (point[0] !== 2 && point[0] !== 3)) return undefined
  const x = BigInt(`0x${toHex(point.slice(1))}`)
  const y = yOf(x, point[0] === 3)
  if (y === undefined) return undefined
  const jwk = { kty: 'EC', crv: 'P-256', d: toBase64url(secret), x: coordinate(x), y: coordinate(y) }
  try {
    const privateKey = await crypto.subtle.importKey('jwk', jwk, ECDSA, false, ['sign'])
    return { privateKey, publicKey: publicKeyHex.toLowerCase() }
  } catch {
    // What the browser refuses here is a secret that does not belong to this public key.
    return undefined
  }
}

/** DER of an ECDSA signature with SHA-256 (RFC 3279, section 2.2.3). */
export async function signP256(
  { privateKey }: SigningKey,
  message: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const raw = new Uint8Array(
    await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, message),
  )
  const body = [...derInteger(raw.slice(0, 32)), ...derInteger(raw.slice(32))]
  return Uint8Array.from([0x30, body.length, ...body])
}

function derInteger(scalar: Uint8Array): readonly number[] {
  const start = scalar.findIndex((byte) => byte !== 0)
  const digits = start < 0 ? [0] : [...scalar.slice(start)]
  const signed = (digits[0] ?? 0) >= 0x80 ? [0, ...digits] : digits
  return [0x02, signed.length, ...signed]
}

/** SEC 1, section 2.3.3. */
function compressed(point: Uint8Array): string {
  return ((point[64] ?? 0) % 2 === 0 ? '02' : '03') + toHex(point.slice(1, 33))
}

// SEC 2 v2, 2.4.2
const PRIME = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/** SEC 1, section 2.3.4: the square root is a power, because the prime is 3 modulo 4. */
function yOf(x: bigint, isOdd: boolean): bigint | undefined {
  const square = (((x ** 3n - 3n * x + B) % PRIME) + PRIME) % PRIME
  const root = power(square, (PRIME + 1n) / 4n)
  if ((root * root) % PRIME !== square) return undefined
  return (root % 2n === 1n) === isOdd ? root : PRIME - root
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) {
    result = (result * result) % PRIME
    if (bit === '1') result = (result * base) % PRIME
  }
  return result
}

function coordinate(value: bigint): string {
  return toBase64url(fromHex(value.toString(16).padStart(64, '0')) ?? new Uint8Array())
}
