import { Failure } from '../../trusted/base/failure.ts'
import { type JsonObject, readJsonObject } from '../../trusted/base/strict-json.ts'
import { OutboundError } from './outbound-error.ts'

/** The JSON object that a body is. @throws OutboundError `badResponse` when it is anything else */
export function jsonAnswer(body: Uint8Array): JsonObject {
  try {
    return readJsonObject(body)
  } catch (error) {
    // What it says quotes the body, which may hold secrets.
    if (error instanceof Failure) throw new OutboundError('badResponse', 'the answer is not a JSON object')
    throw error
  }
}
