import { createPublicKey, type KeyObject } from 'node:crypto'
import { toBase64url, toHex } from '../base/bytes.ts'
import { p256VerifyKey } from './p256.ts'
import { isSoundRsaKey } from './rsa-key.ts'
import { readIntegerMap } from './webauthn-cbor.ts'

export type PasskeyVerifyKey = { readonly algorithm: 'ES256' | 'RS256'; readonly key: KeyObject }

/**
 * Reads the public key of a passkey: a COSE_Key (RFC 9052, section 7) with exactly the parameters that WebAuthn level
 * 3, section 5.8.5, and RFC 9053 or RFC 8230 ask for. ES256 is a point of P-256, uncompressed; RS256 has a modulus of
 * 2048 to 4096 bits and an odd exponent from 3 to 2^32. Keys with an exponent below 65537 exist because earlier
 * versions registered them; new ones are refused.
 *
 * @returns  undefined for anything else
 */
export function passkeyVerifyKey(coseKey: Uint8Array): PasskeyVerifyKey | undefined {
  const parameters = readIntegerMap(coseKey)
  const algorithm = parameters?.get(ALG)
  if (parameters === undefined) return undefined
  if (algorithm === ES256) return ecKey(parameters)
  if (algorithm === RS256) return rsaKey(parameters)
  return undefined
}

type Parameters = ReadonlyMap<number, number | Uint8Array>

// Labels and values of the IANA COSE registries.
const KTY = 1
const ALG = 3
const ES256 = -7
const RS256 = -257
const KTY_EC2 = 2
const KTY_RSA = 3
const CRV_P256 = 1

function ecKey(parameters: Parameters): PasskeyVerifyKey | undefined {
  const [x, y] = [parameters.get(-2), parameters.get(-3)]
  if (parameters.size !== 5 || parameters.get(KTY) !== KTY_EC2 || parameters.get(-1) !== CRV_P256)
    return undefined
  if (!(x instanceof Uint8Array && y instanceof Uint8Array)) return undefined
  if (x.length !== 32 || y.length !== 32) return undefined
  const key = p256VerifyKey(`04${toHex(x)}${toHex(y)}`)
  return key && { algorithm: 'ES256', key }
}

function rsaKey(parameters: Parameters): PasskeyVerifyKey | undefined {
  const [n, e] = [parameters.get(-1), parameters.get(-2)]
  if (parameters.size !== 4 || parameters.get(KTY) !== KTY_RSA) return undefined
  if (!(n instanceof Uint8Array && e instanceof Uint8Array)) return undefined
  // One encoding of each: whole bytes, without leading zeros.
  if ((n[0] ?? 0) < 0x80 || e[0] === 0) return undefined
  if (!isSoundRsaKey({ n, e }, { exponentMin: 3, bitsMax: 4096 })) return undefined
  const key = createPublicKey({ format: 'jwk', key: { kty: 'RSA', n: toBase64url(n), e: toBase64url(e) } })
  return { algorithm: 'RS256', key }
}
