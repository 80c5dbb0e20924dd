import type { Curve } from '../crypto/curve.ts'
import type { EncodingRule } from './chain.ts'
import { invalidHashFunction, invalidPayloadEncoding } from './failures.ts'
import type { HashFunction } from './hash-function.ts'
import { chains, type declaredChains } from './list.ts'
import { BYTES_ENCODINGS } from './raw-bytes.ts'

export type PayloadEncoding =
  | (typeof BYTES_ENCODINGS)[number]
  | Extract<
      (typeof declaredChains)[number],
      { readonly encodings: readonly object[] }
    >['encodings'][number]['encoding']

type StructuredEncoding = EncodingRule & { readonly curve: Curve }

const structured: ReadonlyMap<string, StructuredEncoding> = new Map(
  chains.flatMap(({ encodings = [], curve }) => encodings.map((rule) => [rule.encoding, { ...rule, curve }])),
)

// The type `PayloadEncoding` is made of these keys, the encodings of the chains.
export const payloadEncodings = [...BYTES_ENCODINGS, ...structured.keys()] as readonly PayloadEncoding[]

/** The reader of payloads in this encoding; undefined where they are bytes. */
export function structuredEncoding(encoding: PayloadEncoding): EncodingRule | undefined {
  return structured.get(encoding)
}

export type RawPayload = {
  readonly payload: string
  readonly encoding: PayloadEncoding
  readonly hashFunction: HashFunction
  /** The curve of the key that is to sign. */
  readonly curve: Curve
}

/**
 * The reader of a structured payload, for a key that can sign it.
 *
 * @returns undefined where it is bytes
 * @throws  Failure `invalidHashFunction` or `invalidPayloadEncoding`
 */
export function structuredPayload({ encoding, hashFunction, curve }: RawPayload): EncodingRule | undefined {
  expectHashFunctionFor(curve, hashFunction)
  const rule = structured.get(encoding)
  if (rule === undefined) return undefined
  // A structured encoding defines its own digest, so there is nothing to hash, and only keys of its chain may sign it.
  if (curve !== rule.curve) {
    throw invalidPayloadEncoding({
      what: `${encoding} needs a key on ${rule.curve}, this one is on ${curve}`,
    })
  }
  if (hashFunction !== 'HASH_FUNCTION_NO_OP') {
    throw invalidHashFunction({ what: `${encoding} needs HASH_FUNCTION_NO_OP, not ${hashFunction}` })
  }
  return rule
}

/** Ed25519 hashes the message itself, so no other function applies; ECDSA needs one, or the digest. */
function expectHashFunctionFor(curve: Curve, hashFunction: HashFunction): void {
  const isEd25519 = curve === 'CURVE_ED25519'
  if (isEd25519 === (hashFunction === 'HASH_FUNCTION_NOT_APPLICABLE')) return
  throw invalidHashFunction({
    what: isEd25519
      ? `a key on ${curve} needs HASH_FUNCTION_NOT_APPLICABLE, not ${hashFunction}`
      : `a key on ${curve} cannot be used with ${hashFunction}`,
  })
}
