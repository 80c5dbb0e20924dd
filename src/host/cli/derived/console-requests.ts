import { abstractRequestsOf } from '../../../trusted/activities/abstract-requests.ts'
import type { Activity } from '../../../trusted/catalogue/activity.ts'
import type { AbstractFacts, AbstractValue } from '../../../trusted/policy/lint/abstract-request.ts'

/**
 * The module `console/screens/policies/known-requests.ts`: the requests that the lint of policies judges them against, without the
 * activities that they follow from. Each value stands once, and others name it by its place.
 */
export function consoleRequestsModule(activities: readonly Activity[]): string {
  const table: string[] = []
  const places = new Map<string, number>()
  const placeOf = (value: AbstractValue): number => {
    const text =
      value.kind === 'fields'
        ? JSON.stringify({ kind: 'fields', fields: placesIn(value.fields, placeOf) })
        : JSON.stringify(value)
    const known = places.get(text) ?? table.length
    if (known === table.length) table.push(text)
    places.set(text, known)
    return known
  }
  const requests = abstractRequestsOf(activities).map((request) =>
    JSON.stringify({ ...request, facts: placesIn(request.facts, placeOf) }),
  )
  return [
    '// Derived by `npm run derive` from the list of activities.',
    "import { requestsIn } from './requests-in.ts'",
    '',
    '/** Every way in which an activity may come that policies decide about, in this version of the service. */',
    `export const KNOWN_REQUESTS = requestsIn([${table.join(', ')}], [`,
    ...requests.map((request) => `  ${request},`),
    '])',
    '',
  ].join('\n')
}

function placesIn(
  facts: AbstractFacts,
  placeOf: (value: AbstractValue) => number,
): { readonly [name: string]: number } {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [[name, placeOf(value)]])),
  )
}
