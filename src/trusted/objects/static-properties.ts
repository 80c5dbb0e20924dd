import { list, object, optional, refined, text, type TypeOf } from '../catalogue/shape.ts'
import { map, string, struct, type Fields, type Vocabulary } from '../policy/types.ts'

const STATIC_PROPERTIES_MAX = 20
const CHARACTERS_MAX = 255

const property = object({
  key: optional(text({ max: CHARACTERS_MAX })),
  value: optional(text({ max: CHARACTERS_MAX })),
})

/** Texts by name. An omitted value is the empty string. */
export const keyValues = refined(list(property, { max: STATIC_PROPERTIES_MAX }), {
  problem: (given) => {
    const keys = given.map(({ key }) => key ?? '')
    if (keys.includes('')) return 'must have a key for each property'
    return new Set(keys).size === keys.length ? undefined : 'must have each key once'
  },
})

/** The properties that a secret gets at its import; they never change. */
export const staticProperties = keyValues

export type StaticProperty = { readonly key: string; readonly value: string }

export function propertiesOf(given: TypeOf<typeof staticProperties>): readonly StaticProperty[] {
  return given.map(({ key = '', value = '' }) => ({ key, value }))
}

/** The facts for policies about an activity that exports secrets. */
export const secretNamespace: Vocabulary = { secret: struct({ static_properties: map(string) }) }

/**
 * The facts of secrets that are exported together: the properties that all of them have with the same value. A rule
 * that names another property fails: an ALLOW then does not allow, and a DENY denies. So an ALLOW holds for each of the
 * secrets, and a DENY for one denies all (docs/decisions/secrets.md).
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
