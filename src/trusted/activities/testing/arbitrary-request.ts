import fc from 'fast-check'
import { caseless } from '../../base/caseless.ts'
import type { AbstractFacts, AbstractRequest, AbstractValue } from '../../policy/lint/abstract-request.ts'
import { Problem } from '../../policy/problem.ts'
import { type Facts, string, struct, type Type, type Value, type Vocabulary } from '../../policy/types.ts'
import { ADDRESSES, TEXTS } from './arbitrary-linted-policy.ts'

/** The facts of a request of this form: of what is known each possible value, and of the rest any value or none. */
export function anyFactsOf({ facts }: AbstractRequest, vocabulary: Vocabulary): fc.Arbitrary<Facts> {
  const known = { ...vocabulary, usage: struct({ user: string }) }
  return factsOf({ ...facts, usage: { kind: 'fields', fields: { user: ONE_TEXT } } }, known, '')
}

const ONE_TEXT: AbstractValue = { kind: 'oneOf', values: ['A', 'B'] }

function factsOf(abstract: AbstractFacts, vocabulary: Vocabulary, at: string): fc.Arbitrary<Facts> {
  return fc.record(
    Object.fromEntries(
      Object.entries(abstract).flatMap(([name, value]) => {
        const type = vocabulary[name]
        return value === undefined || type === undefined
          ? []
          : [[name, valueOf(value, type, at === '' ? name : `${at}.${name}`)]]
      }),
    ),
  )
}

type Found = Value | Problem | undefined

function valueOf(abstract: AbstractValue, type: Type, path: string): fc.Arbitrary<Found> {
  if (abstract.kind === 'oneOf') return fc.constantFrom(...abstract.values)
  if (abstract.kind === 'fields')
    return factsOf(abstract.fields, type.kind === 'struct' ? type.fields : {}, path)
  const value = path === 'wallet_account.address' ? fc.constantFrom(...ADDRESSES) : anyOf(type)
  return fc.oneof(
    { weight: 8, arbitrary: value },
    { weight: abstract.lacks === undefined ? 1 : 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant(new Problem('failed', 'it is not known')) },
  )
}

const text = fc.constantFrom(...TEXTS)
const number = fc.constantFrom(0n, 1n, 5n, 6n, 2n ** 64n, 2n ** 256n)

function anyOf(type: Type): fc.Arbitrary<Value> {
  switch (type.kind) {
    case 'bool':
      return fc.boolean()
    case 'string':
      return type.isCaseless ? text.map(caseless) : text
    case 'list':
      return fc.array(anyOf(type.of), { maxLength: 2 })
    case 'map':
      return fc.dictionary(fc.constantFrom('a', 'b'), anyOf(type.of))
    case 'struct': {
      const fields = Object.entries(type.fields).map(([name, of]): [string, fc.Arbitrary<Value>] => [
        name,
        anyOf(of),
      ])
      return fc.record(Object.fromEntries(fields))
    }
    case 'dynamic':
      return fc.oneof(text, text.map(caseless), number, fc.boolean())
    default:
      return number
  }
}
