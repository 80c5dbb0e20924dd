import { keccak_256 } from '@noble/hashes/sha3.js'
import { present } from '../../base/assert.ts'
import { costs } from '../../base/costs.ts'
import { finished, type Steps } from '../../base/work.ts'
import { concat, fromHex, utf8 } from '../../base/bytes.ts'
import type { TypedData } from './eip712.ts'
import type { FieldType, StructTypes } from './eip712-types.ts'
import type { TypedStruct, TypedValue } from './eip712-values.ts'

/** Keccak-256 of 19 01 ‖ hash of the domain ‖ hash of the message: 32 bytes (EIP-712, "Specification"). */
export function typedDataDigest(data: TypedData): Uint8Array {
  return finished(typedDataDigestSteps(data))
}

/** The same in steps: the text of each type includes all types that it references, which can be megabytes in total. */
export function* typedDataDigestSteps({ types, domain, message }: TypedData): Steps<Uint8Array> {
  const typeHashes = new Map<string, Uint8Array>()
  const domainHash = yield* hashStruct(domain, types, typeHashes)
  const messageHash = yield* hashStruct(message, types, typeHashes)
  return keccak_256(concat(Uint8Array.of(0x19, 0x01), domainHash, messageHash))
}

/**
 * `Mail(Person from,…)Person(…)`: the struct itself, then all structs that it references, by name (EIP-712,
 * "encodeType").
 */
export function encodeType(typeName: string, types: StructTypes): string {
  const reached = reachableFrom(typeName, types)
  reached.delete(typeName)
  return [typeName, ...[...reached].sort()].map((name) => `${name}(${fieldsText(name, types)})`).join('')
}

type TypeHashes = Map<string, Uint8Array>

function* hashStruct(struct: TypedStruct, types: StructTypes, typeHashes: TypeHashes): Steps<Uint8Array> {
  const words = [yield* typeHash(struct.typeName, types, typeHashes)]
  for (const value of struct.fields.values()) words.push(yield* encodeWord(value, types, typeHashes))
  return yield* keccak(concat(...words))
}

function* keccak(bytes: Uint8Array): Steps<Uint8Array> {
  yield costs.keccak + bytes.length * costs.keccakByte
  return keccak_256(bytes)
}

/** The 32 bytes that stand for a value inside of its struct or array (EIP-712, "encodeData"). */
function* encodeWord(value: TypedValue, types: StructTypes, typeHashes: TypeHashes): Steps<Uint8Array> {
  switch (value.kind) {
    case 'integer':
      return integerWord(value.integer)
    case 'bool':
      return integerWord(value.bool ? 1n : 0n)
    case 'address':
      return concat(new Uint8Array(32 - value.address.length), value.address)
    case 'fixedBytes':
      return concat(value.bytes, new Uint8Array(32 - value.bytes.length))
    case 'bytes':
      return yield* keccak(value.bytes)
    case 'string':
      return yield* keccak(utf8(value.string))
    case 'array': {
      const words: Uint8Array[] = []
      for (const element of value.elements) words.push(yield* encodeWord(element, types, typeHashes))
      return yield* keccak(concat(...words))
    }
    case 'struct':
      return yield* hashStruct(value, types, typeHashes)
  }
}

/** Two's complement, big-endian. */
function integerWord(integer: bigint): Uint8Array {
  const digits = BigInt.asUintN(256, integer).toString(16).padStart(64, '0')
  return present(fromHex(digits), 'a number in base 16')
}

function* typeHash(typeName: string, types: StructTypes, typeHashes: TypeHashes): Steps<Uint8Array> {
  const known = typeHashes.get(typeName)
  if (known !== undefined) return known
  const hash = yield* keccak(utf8(encodeType(typeName, types)))
  typeHashes.set(typeName, hash)
  return hash
}

function reachableFrom(typeName: string, types: StructTypes): Set<string> {
  const reached = new Set([typeName])
  // Iteration over a set follows the insertion order and includes elements added meanwhile, so each struct is visited
  // once.
  for (const name of reached) {
    for (const { type } of fieldsOf(name, types)) {
      const element = elementOf(type)
      if (element.kind === 'struct') reached.add(element.name)
    }
  }
  return reached
}

function elementOf(type: FieldType): FieldType {
  return type.kind === 'array' ? elementOf(type.of) : type
}

function fieldsText(typeName: string, types: StructTypes): string {
  return fieldsOf(typeName, types)
    .map(({ typeText, name }) => `${typeText} ${name}`)
    .join(',')
}

function fieldsOf(typeName: string, types: StructTypes) {
  return present(types.get(typeName), 'every struct that is named is declared')
}
