import { utf8 } from '../base/bytes.ts'
import { Failure } from '../base/failure.ts'
import { isJsonObject, type JsonObject, type JsonValue, readJson } from '../base/strict-json.ts'
import { invalidPayloadEncoding } from './failures.ts'
import { quote } from './quote.ts'

/**
 * Reads a payload that is the text of one JSON object.
 *
 * @param name  name of the payload, for the message
 * @throws      Failure `invalidPayloadEncoding`
 */
export function readJsonPayload(payload: string, name: string): JsonObject {
  if (payload.length > PAYLOAD_LENGTH_MAX) {
    throw invalidPayloadEncoding({ what: `${name} is longer than ${PAYLOAD_LENGTH_MAX} characters` })
  }
  if (!payload.isWellFormed()) throw invalidPayloadEncoding({ what: `${name} has a lone surrogate` })
  try {
    return expectObject(readJson(utf8(payload)), name)
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.kind === invalidPayloadEncoding.kind) throw thrown
    // The reader's message names a request body; the fault is in a text inside the body.
    throw invalidPayloadEncoding({ what: `${name}: ${thrown.message.replace(/^bad request body: /, '')}` })
  }
}

/** @throws Failure `invalidPayloadEncoding` */
export function expectObject(value: JsonValue, at: string): JsonObject {
  if (isJsonObject(value)) return value
  throw invalidPayloadEncoding({ what: `${at}: expected an object, got ${quote(value)}` })
}

/**
 * The members of an object that has exactly these keys, in the order of `keys`. A further member would show a reader
 * more than the signature covers, so it is refused.
 *
 * @throws Failure `invalidPayloadEncoding`
 */
export function exactMembers(object: JsonObject, keys: readonly string[], at: string): readonly JsonValue[] {
  const members = keys.map((key) => {
    // Own members only: every object inherits `toString`.
    const member = Object.hasOwn(object, key) ? object[key] : undefined
    if (member === undefined) throw invalidPayloadEncoding({ what: `${at}: ${quote(key)} is missing` })
    return member
  })
  const sent = Object.keys(object)
  if (sent.length === keys.length) return members
  const known = new Set(keys)
  const extra = sent.filter((key) => !known.has(key)).map(quote)
  throw invalidPayloadEncoding({ what: `${at}: ${extra[0]} is not one of its fields` })
}

// Enough for the calldata of a large batch inside typed data; it also bounds the time of hashing.
const PAYLOAD_LENGTH_MAX = 262_144
