import type { Activity } from '../../../trusted/catalogue/activity.ts'
import { policyVocabulary } from '../../../trusted/catalogue/vocabulary.ts'
import type { Type, Vocabulary } from '../../../trusted/policy/types.ts'

/**
 * The module `console/screens/policies/known-vocabulary.ts`: the names for policies, without the activities from which
 * they follow. Two uses of one declaration stay one: structs have the same type only if they are identical.
 */
export function consoleVocabularyModule(activities: readonly Activity[]): string {
  const table: string[] = []
  const places = new Map<Type, number>()
  const placeOf = (type: Type): number => {
    const known = places.get(type)
    if (known !== undefined) return known
    const text = textOf(type, placeOf)
    places.set(type, table.length)
    table.push(text)
    return table.length - 1
  }
  const keywords = fieldsText(policyVocabulary(activities), placeOf)
  return [
    '// Derived by `npm run derive` from the list of activities.',
    "import { typesIn } from './types-in.ts'",
    '',
    '/** What a condition may name in this version of the service. */',
    `export const KNOWN_VOCABULARY = typesIn([${table.join(', ')}], ${keywords})`,
    '',
  ].join('\n')
}

function textOf(type: Type, placeOf: (type: Type) => number): string {
  if (type.kind === 'list' || type.kind === 'map')
    return JSON.stringify({ kind: type.kind, of: placeOf(type.of) })
  if (type.kind === 'struct') return `{"kind":"struct","fields":${fieldsText(type.fields, placeOf)}}`
  return JSON.stringify(type)
}

function fieldsText(fields: Vocabulary, placeOf: (type: Type) => number): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, placeOf(type)])),
  )
}
