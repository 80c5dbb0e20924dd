import { present } from '../base/assert.ts'
import { fromBase64url, fromHex, toBase64url, utf8 } from '../base/bytes.ts'
import { Failure } from '../base/failure.ts'
import { type JsonObject, type JsonValue, readJsonObject } from '../base/strict-json.ts'
import type { ResourceSignature } from './signature.ts'

/** A token in the compact form of RFC 7515, section 3.1, not verified yet. */
type CompactJwt = {
  readonly header: JsonObject
  readonly payload: JsonObject
  /** ASCII of `header.payload`, as sent. */
  readonly signedBytes: Uint8Array
  readonly signature: Uint8Array
}

/**
 * Makes and signs a token.
 *
 * @param parts.header   written in the order of its keys, as is `payload`
 * @param sign           gets the ASCII of `header.payload`
 * @returns              three segments of base64url without padding; the second has neither `-` nor `_`
 */
export function writeJwt(
  parts: { readonly header: JsonObject; readonly payload: JsonObject },
  sign: (signedBytes: Uint8Array) => ResourceSignature,
): string {
  const signed = `${segment(parts.header)}.${segment(parts.payload)}`
  const { r, s } = sign(utf8(signed))
  return `${signed}.${toBase64url(present(fromHex(r + s), 'a signature in hex'))}`
}

/** The token with an empty signature: its claims can still be read, and no verifier accepts it. */
export function withoutSignature(token: string): string {
  return token.slice(0, token.lastIndexOf('.') + 1)
}

/**
 * @returns  undefined unless it is three segments of canonical base64url without padding, the first two JSON objects
 */
export function readJwt(jwt: string): CompactJwt | undefined {
  if (jwt.length > lengthMax) return undefined
  const [header, payload, signature, ...more] = jwt.split('.')
  if (header === undefined || payload === undefined || signature === undefined || more.length > 0)
    return undefined
  const headerJson = objectIn(header)
  const payloadJson = objectIn(payload)
  const signatureBytes = unpaddedBytes(signature)
  if (headerJson === undefined || payloadJson === undefined || signatureBytes === undefined) return undefined
  return {
    header: headerJson,
    payload: payloadJson,
    signedBytes: utf8(`${header}.${payload}`),
    signature: signatureBytes,
  }
}

/**
 * Whether the header has exactly these members, in any order. A further member could mean a key or an extension to
 * another reader.
 */
export function isHeader(header: JsonObject, expected: Readonly<Record<string, JsonValue>>): boolean {
  const names = Object.keys(expected)
  return (
    Object.keys(header).length === names.length &&
    names.every((name) => Object.hasOwn(header, name) && header[name] === expected[name])
  )
}

// Longer than any token that fits into the headers of a request.
const lengthMax = 32_768

function segment(json: JsonObject): string {
  // Published clients decode the segment as plain base64, which has neither `-` nor `_`. In ASCII text those two come
  // only from the four characters below; and such a decoder would not restore text that is not ASCII.
  const ascii = JSON.stringify(json).replace(
    /[>?~\x7f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return toBase64url(utf8(ascii))
}

function objectIn(text: string): JsonObject | undefined {
  const bytes = unpaddedBytes(text)
  if (bytes === undefined) return undefined
  try {
    return readJsonObject(bytes)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** Base64url without the padding that `fromBase64url` tolerates: a token has one spelling. */
function unpaddedBytes(text: string): Uint8Array | undefined {
  return text.includes('=') ? undefined : fromBase64url(text)
}
