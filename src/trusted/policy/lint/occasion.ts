import type { Type, Vocabulary } from '../types.ts'

/**
 * One way in which an activity may come: what is known of its facts before there is a request. Between them, the
 * occasions of a service hold every request that policies can be asked about.
 */
export type Occasion = {
  /** As a finding tells it: `SIGN_RAW_PAYLOAD of bytes that show nothing, with a private key`. */
  readonly name: string
  readonly kind: string
  /** What the occasions of one kind may differ in. */
  readonly signer?: string
  /** Raw bytes are signed that show policies nothing, or a part of what they are: `payload.opaque` is true. */
  readonly isOpaque: boolean
  /** Users may do it for themselves, where no policy decides. */
  readonly isOwn?: true
  readonly facts: Sketches
}

/** What may stand under a name. A name without a sketch is certainly missing. */
export type Sketches = { readonly [name: string]: Sketch | undefined }

export type Sketch =
  /** Any value, or none. `lacks` says when a request has none, where that is to be expected. */
  | { readonly kind: 'anything'; readonly lacks?: string }
  /** Certainly there, and one of these. */
  | { readonly kind: 'oneOf'; readonly values: readonly (boolean | bigint | string)[] }
  | { readonly kind: 'fields'; readonly fields: Sketches }

export const anything: Sketch = { kind: 'anything' }

export function oneOf(...values: readonly (boolean | bigint | string)[]): Sketch {
  return { kind: 'oneOf', values }
}

export function fields(under: Sketches): Sketch {
  return { kind: 'fields', fields: under }
}

/** Something of this type, of which nothing else is known: a struct has its fields, whatever is in them. */
export function sketchOf(type: Type): Sketch {
  return type.kind === 'struct' ? fields(sketchesOf(type.fields)) : anything
}

export function sketchesOf(vocabulary: Vocabulary): Sketches {
  return Object.fromEntries(Object.entries(vocabulary).map(([name, type]) => [name, sketchOf(type)]))
}
