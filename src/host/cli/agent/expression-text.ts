import { UsageError } from '../usage.ts'

/**
 * A string of the policy language. Strings have no escapes, so a text with a quote cannot be a string.
 *
 * @throws UsageError
 */
export function textIn(value: string): string {
  if (!/^[\w.:@ -]+$/.test(value)) throw new UsageError(`${JSON.stringify(value)} cannot stand in a policy`)
  return `'${value}'`
}

export function oneOfTexts(values: readonly string[]): string {
  return `[${values.map(textIn).join(', ')}]`
}

export function allOf(parts: readonly string[]): string {
  return parts.join(' && ')
}
