import { defineFailure, Failure, INVALID_ARGUMENT } from '../base/failure.ts'
import { isJsonObject, type JsonObject, type JsonValue, readJson } from '../base/strict-json.ts'
import { utf8 } from '../base/bytes.ts'
import { quote } from './quote.ts'

/** `at` is the place in the interface, such as `abi[3].inputs[0].type`. */
export const invalidContractInterface = defineFailure<{ readonly at: string; readonly what: string }>({
  kind: 'invalidContractInterface',
  code: INVALID_ARGUMENT,
  say: ({ at, what }) => `invalid smart contract interface: ${at}: ${what}`,
})

export const INTERFACE_LENGTH_MAX = 400_000

/**
 * Reads the text of an interface as JSON.
 *
 * @param at  name of the text in the message: `abi` or `idl`
 * @throws    Failure `invalidContractInterface`
 */
export function readInterfaceJson(text: string, at: string): JsonValue {
  if (text.length > INTERFACE_LENGTH_MAX) {
    throw invalidContractInterface({ at, what: `longer than ${INTERFACE_LENGTH_MAX} characters` })
  }
  if (!text.isWellFormed()) throw invalidContractInterface({ at, what: 'a lone surrogate' })
  try {
    return readJson(utf8(text), { depthMax: 64 })
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    // The reader's message names a request body; the fault is in a text inside the body.
    throw invalidContractInterface({ at, what: thrown.message.replace(/^bad request body: /, '') })
  }
}

/** @throws Failure `invalidContractInterface` */
export function expectMember(value: JsonValue, at: string): JsonObject {
  if (isJsonObject(value)) return value
  throw invalidContractInterface({ at, what: `expected an object, got ${quote(value)}` })
}

/** @throws Failure `invalidContractInterface` */
export function expectList(value: JsonValue | undefined, at: string): readonly JsonValue[] {
  if (Array.isArray(value)) return value
  throw invalidContractInterface({
    at,
    what: value === undefined ? 'missing' : `expected a list, got ${quote(value)}`,
  })
}

/** Own members only: every object inherits `toString`. */
export function member(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
