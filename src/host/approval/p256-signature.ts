import { readDer } from '../../trusted/crypto/der.ts'
import { P256_ORDER } from '../../trusted/crypto/scalar.ts'
import { wholeP256Point } from './p256-point.ts'

/** Over the SHA-256 of the signed bytes, on the curve that every browser and Node have. */
export async function isP256(point: Uint8Array, signed: Uint8Array, der: Uint8Array): Promise<boolean> {
  const [rs, whole] = [readDer(der, P256_ORDER), wholeP256Point(point)]
  if (rs === undefined || whole === undefined) return false
  // WebCrypto refuses a point that is not on the curve.
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(whole), P256, false, ['verify'])
  return await crypto.subtle.verify(P256, key, Uint8Array.from(rs), Uint8Array.from(signed))
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
