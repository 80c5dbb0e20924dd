import { UsageError } from '../usage.ts'

/**
 * A string of the policy language. It has no escapes, so that nothing with a quote in it can be one.
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
