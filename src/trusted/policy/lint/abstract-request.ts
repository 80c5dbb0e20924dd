import type { Type, Vocabulary } from '../types.ts'

/**
 * One form that an activity may take: the knowledge about its facts before there is a request. Together, the abstract
 * requests of a service cover every request that policies can be asked about.
 */
export type AbstractRequest = {
  /** The name in a finding: `SIGN_RAW_PAYLOAD of bytes that show nothing, with a private key`. */
  readonly name: string
  readonly kind: string
  /** A signer: the abstract requests of one kind may differ in it. */
  readonly signer?: string
  /**
   * Whether the request signs raw bytes that show policies nothing, or only a part of their contents: `payload.opaque`
   * is true.
   */
  readonly isOpaque: boolean
  /** The keywords for the contents of a transaction or of typed data, where the request signs one and shows it. */
  readonly contents: readonly string[]
  /** Users may do it for themselves, where no policy decides. */
  readonly isOwn?: true
  readonly facts: AbstractFacts
}

/** The abstract values by name. A name without an abstract value is certainly missing. */
export type AbstractFacts = { readonly [name: string]: AbstractValue | undefined }

export type AbstractValue =
  /** Any value, or none. `lacks` says when a request has none, where that is to be expected. */
  | { readonly kind: 'anything'; readonly lacks?: string }
  /** Certainly there, and one of these. */
  | { readonly kind: 'oneOf'; readonly values: readonly (boolean | bigint | string)[] }
  | { readonly kind: 'fields'; readonly fields: AbstractFacts }

export const anything: AbstractValue = { kind: 'anything' }

export function oneOf(...values: readonly (boolean | bigint | string)[]): AbstractValue {
  return { kind: 'oneOf', values }
}

export function fields(under: AbstractFacts): AbstractValue {
  return { kind: 'fields', fields: under }
}

/** A value of this type of which nothing else is known: a struct has its fields, with any values. */
function abstractValueOf(type: Type): AbstractValue {
  return type.kind === 'struct' ? fields(abstractFactsOf(type.fields)) : anything
}

export function abstractFactsOf(vocabulary: Vocabulary): AbstractFacts {
  return Object.fromEntries(Object.entries(vocabulary).map(([name, type]) => [name, abstractValueOf(type)]))
}
