import { list, object, optional, refined, text, type TypeOf } from '../catalogue/shape.ts'
import { map, string, struct, type Fields, type Vocabulary } from '../policy/types.ts'

const STATIC_PROPERTIES_MAX = 20
const CHARACTERS_MAX = 255

const property = object({
  key: optional(text({ max: CHARACTERS_MAX })),
  value: optional(text({ max: CHARACTERS_MAX })),
})

/** Texts by name. A value that is left out is the empty text. */
export const keyValues = refined(list(property, { max: STATIC_PROPERTIES_MAX }), {
  problem: (given) => {
    const keys = given.map(({ key }) => key ?? '')
    if (keys.includes('')) return 'must have a key for each property'
    return new Set(keys).size === keys.length ? undefined : 'must have each key once'
  },
})

/** What is said of a secret when it comes in and never changes. */
export const staticProperties = keyValues

export type StaticProperty = { readonly key: string; readonly value: string }

export function propertiesOf(given: TypeOf<typeof staticProperties>): readonly StaticProperty[] {
  return given.map(({ key = '', value = '' }) => ({ key, value }))
}

/** What policies may name for an activity that hands out secrets. */
export const secretNamespace: Vocabulary = { secret: struct({ static_properties: map(string) }) }

/**
 * What policies see of secrets that are asked for together: the properties that all of them have with the same value. To ask for
 * another is an error, by which an ALLOW does not allow and a DENY denies, so that an ALLOW holds for each of the secrets, and
 * what denies one denies them all (docs/decisions/secrets.md).
 */
export function propertyFacts(all: readonly (readonly StaticProperty[])[]): Fields {
  const [first = [], ...others] = all
  const shared = first.filter(({ key, value }) =>
    others.every((other) =>
      other.some((staticProperty) => staticProperty.key === key && staticProperty.value === value),
    ),
  )
  return { secret: { static_properties: Object.fromEntries(shared.map(({ key, value }) => [key, value])) } }
}
