import { fieldMeanings } from './field-meanings.ts'

/** What a field of a request means, for its page. */
export function meaningOf(operation: string, path: string): string | undefined {
  return fieldMeanings[meaningKey(operation, path) ?? '']
}

/**
 * Where the meaning of a field stands: under the last two names of its path, under the operation and the last, or under
 * that alone.
 */
export function meaningKey(operation: string, path: string): string | undefined {
  const [leaf = '', parent] = path.replaceAll('[]', '').split('.').toReversed()
  const keys = [...(parent === undefined ? [] : [`${parent}.${leaf}`]), `${operation}.${leaf}`, leaf]
  return keys.find((key) => key in fieldMeanings)
}
