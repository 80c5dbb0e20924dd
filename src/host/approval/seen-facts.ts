import { Caseless } from '../../trusted/base/caseless.ts'
import type { SeenFields, SeenValue } from '../../trusted/chains/transaction.ts'
import { type Fact, fact } from './fact.ts'
import { visible } from './visible.ts'

/** Every value that a reader of a chain has seen, by its path, in the reader's order. */
export function seenFacts(value: SeenValue | undefined, path: string): readonly Fact[] {
  if (value === undefined) return []
  if (value instanceof Caseless) return [fact(path, visible(value.text), { nameable: value.text })]
  if (typeof value === 'string') return [fact(path, visible(value), { nameable: value })]
  if (typeof value !== 'object') return [fact(path, String(value))]
  if (isList(value))
    return value.length === 0
      ? [fact(path, '(empty list)')]
      : value.flatMap((item, index) => seenFacts(item, `${path}[${index}]`))
  const entries = Object.entries(value)
  return entries.length === 0
    ? [fact(path, '(not said)')]
    : entries.flatMap(([name, item]) => seenFacts(item, `${path}.${visible(name)}`))
}

function isList(value: SeenValue): value is readonly SeenValue[] {
  return Array.isArray(value)
}

/** Parts of the seen fields in their expected types; values of other types count as absent. */
export function textIn(seen: SeenFields, name: string): string {
  const value = seen[name]
  if (value instanceof Caseless) return value.text
  return typeof value === 'string' ? value : ''
}

export function numberIn(seen: SeenFields, name: string): bigint | undefined {
  const value = seen[name]
  return typeof value === 'bigint' ? value : undefined
}

export function objectsIn(seen: SeenFields, name: string): readonly SeenFields[] {
  const value = seen[name]
  return value !== undefined && isList(value) ? value.filter(isFields) : []
}

export function objectIn(seen: SeenFields, name: string): SeenFields {
  const value = seen[name]
  return value !== undefined && isFields(value) ? value : {}
}

function isFields(value: SeenValue): value is SeenFields {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Caseless)
}
