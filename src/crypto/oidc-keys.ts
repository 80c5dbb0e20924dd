import type { JWK } from 'jose'
import { fromBase64url } from '../base/bytes.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../base/strict-json.ts'
import { invalidOidcToken } from './oidc-token-failures.ts'

/**
 * The keys of a JWK Set (RFC 7517, section 5) that a token could be signed with: those that `kid` names, or all when it names
 * none. Others are passed over, as the RFC has it: those of kinds that we do not verify with, and those of RSA that are
 * too short to be safe or so long that verifying takes a noticeable time.
 *
 * @param kid  of the header of the token
 * @returns    public members only
 * @throws     Failure `invalidOidcToken`
 */
export function verificationKeys(keySet: JsonObject, kid: JsonValue | undefined): readonly JWK[] {
  const { keys } = keySet
  if (!Array.isArray(keys)) throw invalidOidcToken({ why: 'the keys of its issuer are not a key set' })
  if (keys.length > keysMax) throw invalidOidcToken({ why: `its issuer has more than ${keysMax} keys` })
  return keys
    .filter(isJsonObject)
    .filter((key) => kid === undefined || key['kid'] === kid)
    .filter((key) => KINDS.has(key['kty']) && (key['kty'] !== 'RSA' || isFitRsaKey(key)))
    .slice(0, triesMax)
    .map(publicMembers)
}

const keysMax = 100
const triesMax = 10
const KINDS: ReadonlySet<JsonValue | undefined> = new Set(['RSA', 'EC', 'OKP'])

function isFitRsaKey({ n, e }: JsonObject): boolean {
  const modulus = typeof n === 'string' ? fromBase64url(n) : undefined
  const exponent = typeof e === 'string' ? fromBase64url(e) : undefined
  if (modulus === undefined || exponent === undefined) return false
  const bits = bitLength(modulus)
  return bits >= rsaBitsMin && bits <= rsaBitsMax && bitLength(exponent) <= exponentBitsMax
}

const rsaBitsMin = 2048 // RFC 7518, section 3.3
const rsaBitsMax = 8192
const exponentBitsMax = 32

function bitLength(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0)
  return first < 0 ? 0 : (bytes.length - first) * 8 - Math.clz32(bytes[first] ?? 0) + 24
}

/** RFC 7517, section 4, and RFC 7518, sections 6.2.1 and 6.3.1; a private member would make a private key of it. */
function publicMembers(key: JsonObject): JWK {
  return Object.fromEntries(
    MEMBERS.flatMap((name) => {
      const value = key[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

const MEMBERS = ['kty', 'kid', 'alg', 'use', 'crv', 'x', 'y', 'n', 'e']
