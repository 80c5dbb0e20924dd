import { wholeP256Point } from '../../src/host/approval/p256-point.ts'
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
  const halves = fromHex(publicKeyHex)
  const point = halves?.length === 33 ? wholeP256Point(halves) : undefined
  if (secret?.length !== 32 || point === undefined) return undefined
  const [x, y] = [toBase64url(point.slice(1, 33)), toBase64url(point.slice(33))]
  const jwk = { kty: 'EC', crv: 'P-256', d: toBase64url(secret), x, y }
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
