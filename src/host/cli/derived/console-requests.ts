import { abstractRequestsOf } from '../../../trusted/activities/abstract-requests.ts'
import type { Activity } from '../../../trusted/catalogue/activity.ts'
import {
  type AbstractFacts,
  type AbstractRequest,
  type AbstractValue,
  anything,
  fields,
  oneOf,
} from '../../../trusted/policy/lint/abstract-request.ts'

/**
 * The module `console/screens/policies/known-requests.ts`: the requests on which the lint of policies judges, without
 * the activities from which they follow. Each value occurs once, and others name it by its position. Most kinds of
 * activity have a single form, which four words describe completely.
 */
export function consoleRequestsModule(activities: readonly Activity[]): string {
  const table: string[] = []
  const places = new Map<string, number>()
  const placeOf = (value: AbstractValue): number => {
    const text = JSON.stringify(inShort(value, placeOf))
    const known = places.get(text) ?? table.length
    if (known === table.length) table.push(text)
    places.set(text, known)
    return known
  }
  const requests = abstractRequestsOf(activities).map((request) =>
    JSON.stringify(inFourWords(request) ?? inParts(request, placeOf)),
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

/**
 * `CREATE_POLICY POLICY CREATE _V3`: kind, resource, action, and the suffix of the kind in each type; undefined for
 * other forms.
 */
function inFourWords({ name, kind, facts, ...rest }: AbstractRequest): string | undefined {
  const { activity, usage, ...others } = facts
  if (activity?.kind !== 'fields') return undefined
  const { type, resource, action, params, ...about } = activity.fields
  const isPlain =
    name === kind &&
    JSON.stringify([rest, others, usage, about, params]) ===
      JSON.stringify([
        { isOpaque: false, contents: [] },
        {},
        anything,
        { kind: oneOf(kind), organization_id: anything },
        fields({}),
      ])
  const endings = valuesOf(type).map((one) => String(one).replace(`ACTIVITY_TYPE_${kind}`, ''))
  return isPlain ? [kind, valuesOf(resource), valuesOf(action), endings].join(' ') : undefined
}

/**
 * Kind, the part between kind and signer in the name, facts, signer, and the differences from the common form; empty
 * fields at the end are left out.
 */
function inParts(
  { name, kind, signer, facts, ...rest }: AbstractRequest,
  placeOf: PlaceOf,
): readonly unknown[] {
  const between = name.slice(kind.length, signer === undefined ? undefined : -signer.length).trim()
  const unusual = Object.entries(rest).filter(([, value]) => !['false', '[]'].includes(JSON.stringify(value)))
  const parts = [kind, between, placesIn(facts, placeOf), signer ?? '', Object.fromEntries(unusual)]
  return unusual.length > 0 ? parts : parts.slice(0, signer === undefined ? 3 : 4)
}

/** A value as one of a list, fields by their positions, and the reason for a missing value as a text. */
function inShort(value: AbstractValue, placeOf: PlaceOf): unknown {
  if (value.kind === 'oneOf') return value.values
  return value.kind === 'fields' ? placesIn(value.fields, placeOf) : (value.lacks ?? '')
}

type PlaceOf = (value: AbstractValue) => number

function valuesOf(value: AbstractValue | undefined): readonly (boolean | bigint | string)[] {
  return value?.kind === 'oneOf' ? value.values : []
}

function placesIn(facts: AbstractFacts, placeOf: PlaceOf): { readonly [name: string]: number } {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [[name, placeOf(value)]])),
  )
}
