import type { JWK } from 'jose'
import { fromBase64url } from '../base/bytes.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../base/strict-json.ts'
import { invalidOidcToken } from './oidc-token-failures.ts'
import { isSoundRsaKey, USUAL_EXPONENT } from './rsa-key.ts'

/**
 * The keys of a JWK Set (RFC 7517, section 5) that could have signed a token: those with this `kid`, or all when the
 * token names none. As the RFC says, other keys are ignored: keys of unsupported types, malformed keys, and RSA keys
 * that are too short to be safe or so long that verifying takes noticeable time.
 *
 * @param kid  from the header of the token
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
  return isSoundRsaKey({ n: modulus, e: exponent }, { exponentMin: USUAL_EXPONENT, bitsMax: rsaBitsMax })
}

const rsaBitsMax = 8192

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
