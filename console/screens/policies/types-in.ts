import type { Type, Vocabulary } from '../../../src/trusted/policy/types.ts'

/** A type whose parts are numbers of types that stand before it. */
type Written =
  | Exclude<Type, { kind: 'list' | 'map' | 'struct' }>
  | { readonly kind: 'list'; readonly of: number }
  | { readonly kind: 'map'; readonly of: number }
  | { readonly kind: 'struct'; readonly fields: { readonly [name: string]: number } }

/** The vocabulary of a table of types; what was one type stays one. */
export function typesIn(
  written: readonly Written[],
  keywords: { readonly [name: string]: number },
): Vocabulary {
  const types: Type[] = []
  const typeAt = (place: number): Type => types[place] ?? { kind: 'dynamic' }
  const fieldsOf = (fields: { readonly [name: string]: number }): Vocabulary =>
    Object.fromEntries(Object.entries(fields).map(([name, place]) => [name, typeAt(place)]))
  for (const one of written) {
    if (one.kind === 'list' || one.kind === 'map') types.push({ kind: one.kind, of: typeAt(one.of) })
    else if (one.kind === 'struct') types.push({ kind: 'struct', fields: fieldsOf(one.fields) })
    else types.push(one)
  }
  return fieldsOf(keywords)
}
