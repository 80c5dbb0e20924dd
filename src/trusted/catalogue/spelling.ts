import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'

/** Two readers could take one each. */
const spelledTwice = defineFailure<{ readonly field: string; readonly as: string }>({
  kind: 'spelledTwice',
  code: INVALID_ARGUMENT,
  say: ({ field, as }) =>
    `invalid request body: field \`${field}\` is given twice, the second time as \`${as}\`: give it once`,
})

type Sent = { readonly [name: string]: unknown }

/**
 * The names under which the fields of an object may be sent: each in camelCase, as it is declared, and in snake_case.
 */
type Spellings = ReadonlyMap<string, string>

export function spellingsOf(fields: readonly string[]): Spellings {
  return new Map(
    fields.flatMap((field) => [
      [field, field],
      [inSnakeCase(field), field],
    ]),
  )
}

/** The first name that is not that of a field as it is declared. */
export function firstUnknown(sent: Sent, spellings: Spellings): string | undefined {
  for (const name in sent) if (spellings.get(name) !== name) return name
  return undefined
}

/**
 * The object with every known field under its name in camelCase, and without the unknown ones that are unset. An
 * unknown field with a value stays, so that the reader can refuse it.
 *
 * @throws Failure `spelledTwice`, also where both spellings have the same value or none
 */
export function inOneSpelling(sent: Sent, spellings: Spellings, at: string): Sent {
  const result: Record<string, unknown> = {}
  for (const name in sent) {
    const value = sent[name]
    const field = spellings.get(name)
    if (field === undefined) {
      if (!isUnset(value)) result[name] = value
      continue
    }
    if (Object.hasOwn(result, field))
      throw spelledTwice({ field: at === '' ? field : `${at}.${field}`, as: name })
    result[field] = value
  }
  return result
}

/** Whether clients of some language write this value for an unset field. */
export function isUnset(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Whether a field has a value in either spelling. */
export function isGiven(sent: object, field: string): boolean {
  return [field, inSnakeCase(field)].some(
    (name) => Object.hasOwn(sent, name) && !isUnset(Reflect.get(sent, name)),
  )
}

/** `organizationId` as `organization_id`. */
function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
