import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'

/** Two readers could take one each. */
export const spelledTwice = defineFailure<{ readonly field: string; readonly as: string }>({
  kind: 'spelledTwice',
  code: INVALID_ARGUMENT,
  say: ({ field, as }) =>
    `invalid request body: field \`${field}\` is given twice, the second time as \`${as}\`: give it once`,
})

type Sent = { readonly [name: string]: unknown }

/** The first name, as it is written, that is none of those known. */
export function firstUnknown(sent: Sent, known: ReadonlySet<string>): string | undefined {
  for (const name in sent) if (!known.has(name)) return name
  return undefined
}

/**
 * The object with every known field under its name in camelCase, and without the unknown ones that are unset. An unknown
 * field with a value stays, so that the reader can refuse it.
 *
 * @throws Failure `spelledTwice`, also where both spellings have the same value or none
 */
export function inOneSpelling(sent: Sent, known: ReadonlySet<string>, at: string): Sent {
  const result: Record<string, unknown> = {}
  for (const name in sent) {
    const value = sent[name]
    const field = known.has(name) ? name : inCamelCase(name)
    if (known.has(field)) {
      if (Object.hasOwn(result, field))
        throw spelledTwice({ field: at === '' ? field : `${at}.${field}`, as: name })
      result[field] = value
    } else if (!isUnset(value)) result[name] = value
  }
  return result
}

/** What the clients of one language or another write for nothing at all. */
export function isUnset(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Whether a field has a value in either spelling. */
export function isGiven(sent: object, field: string): boolean {
  return Object.entries(sent).some(([name, value]) => inCamelCase(name) === field && !isUnset(value))
}

/** `organization_id` as `organizationId`; what is not in snake_case as it is. */
function inCamelCase(name: string): string {
  return SNAKE_CASE.test(name) ? name.replace(/_(.)/g, (_, next: string) => next.toUpperCase()) : name
}

const SNAKE_CASE = /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/
