import { fieldMeanings } from './field-meanings.ts'

/** The meaning of a request's field, for its page. */
export function meaningOf(operation: string, path: string): string | undefined {
  return fieldMeanings[meaningKey(operation, path) ?? '']
}

/**
 * The keys for the meaning of a field: the last two names of its path, the operation and the last name, or the last
 * name alone.
 */
export function meaningKey(operation: string, path: string): string | undefined {
  const [leaf = '', parent] = path.replaceAll('[]', '').split('.').toReversed()
  const keys = [...(parent === undefined ? [] : [`${parent}.${leaf}`]), `${operation}.${leaf}`, leaf]
  return keys.find((key) => key in fieldMeanings)
}
