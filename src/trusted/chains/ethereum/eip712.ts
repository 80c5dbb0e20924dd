import type { JsonObject, JsonValue } from '../../base/strict-json.ts'
import { invalidPayloadEncoding } from '../failures.ts'
import { exactMembers, expectObject, readJsonPayload } from '../json-payload.ts'
import { quote } from '../quote.ts'
import { type Field, readStructTypes, type StructTypes } from './eip712-types.ts'
import { readStruct, type TypedStruct } from './eip712-values.ts'

/** Typed data whose domain and message have been checked against their types. `typedDataDigest` hashes it. */
export type TypedData = {
  /** With `EIP712Domain`, declared or derived. */
  readonly types: StructTypes
  readonly primaryType: string
  readonly domain: TypedStruct
  readonly message: TypedStruct
}

/**
 * Reads the JSON text `{ types, domain, primaryType, message }`. Integers may be numbers, decimal or `0x` strings;
 * addresses may have any case. Where `types.EIP712Domain` is absent it is derived from the fields of the domain.
 *
 * @throws Failure `invalidPayloadEncoding`: bad JSON, unknown types, missing, null or undeclared fields, values outside
 *         of their type, or more than the bounds allow
 * @see    EIP-712
 */
export function parseTypedData(payload: string): TypedData {
  const object = readJsonPayload(payload, NAME)
  const [typesJson = null, domainJson = null, primaryType = null, messageJson = null] = exactMembers(
    object,
    ['types', 'domain', 'primaryType', 'message'],
    NAME,
  )
  const declared = readStructTypes(typesJson, `${NAME}: types`)
  const domainAt = `${NAME}: domain`
  const types = declared.has(DOMAIN)
    ? declared
    : new Map([...declared, [DOMAIN, domainFields(expectObject(domainJson, domainAt), domainAt)]])
  const messageType = expectPrimaryType(primaryType, declared)
  const budget = { left: VALUES_MAX }
  return {
    types,
    primaryType: messageType,
    domain: readStruct(domainJson, DOMAIN, types, budget, domainAt),
    message: readStruct(messageJson, messageType, types, budget, `${NAME}: message`),
  }
}

const NAME = 'EIP-712 typed data'
const DOMAIN = 'EIP712Domain'

// Each value costs at most one hash of a few microseconds.
const VALUES_MAX = 16_384

function expectPrimaryType(value: JsonValue, declared: StructTypes): string {
  // Libraries disagree on what to sign when the domain itself is the message: two hashes, or one.
  if (value === DOMAIN) {
    throw invalidPayloadEncoding({ what: `${NAME}: primaryType: ${DOMAIN} cannot be the message` })
  }
  if (typeof value === 'string' && declared.has(value)) return value
  throw invalidPayloadEncoding({ what: `${NAME}: primaryType: ${quote(value)} is not one of the types` })
}

/** The fields of the EIP that were sent, in the order of the EIP ("Definition of domainSeparator"). */
function domainFields(domain: JsonObject, at: string): readonly Field[] {
  const unknown = Object.keys(domain).find((name) => !standardDomain.some((field) => field.name === name))
  if (unknown !== undefined) {
    throw invalidPayloadEncoding({
      what: `${at}: ${quote(unknown)} is not one of its fields; declare types.${DOMAIN} to use others`,
    })
  }
  return standardDomain.filter(({ name }) => Object.hasOwn(domain, name))
}

const standardDomain: readonly Field[] = [
  { name: 'name', typeText: 'string', type: { kind: 'string' } },
  { name: 'version', typeText: 'string', type: { kind: 'string' } },
  { name: 'chainId', typeText: 'uint256', type: { kind: 'uint', bits: 256 } },
  { name: 'verifyingContract', typeText: 'address', type: { kind: 'address' } },
  { name: 'salt', typeText: 'bytes32', type: { kind: 'fixedBytes', length: 32 } },
]
