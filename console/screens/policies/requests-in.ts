import type { AbstractRequest, AbstractValue } from '../../../src/trusted/policy/lint/abstract-request.ts'

type Places = { readonly [name: string]: number }

/** A value whose parts are numbers of values that stand before it. */
type Written =
  | Exclude<AbstractValue, { kind: 'fields' }>
  | { readonly kind: 'fields'; readonly fields: Places }

type WrittenRequest = Omit<AbstractRequest, 'facts'> & { readonly facts: Places }

/** The requests of a table of values. */
export function requestsIn(
  written: readonly Written[],
  requests: readonly WrittenRequest[],
): readonly AbstractRequest[] {
  const values: AbstractValue[] = []
  const factsAt = (places: Places): AbstractRequest['facts'] =>
    Object.fromEntries(Object.entries(places).map(([name, place]) => [name, values[place]]))
  for (const one of written)
    values.push(one.kind === 'fields' ? { kind: 'fields', fields: factsAt(one.fields) } : one)
  return requests.map(({ facts, ...request }) => ({ ...request, facts: factsAt(facts) }))
}
