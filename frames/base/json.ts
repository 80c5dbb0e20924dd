/**
 * A member that an object itself has; undefined where it has none, and for what is no object. Nothing inherited counts.
 */
export function ownValue(given: unknown, name: string): unknown {
  if (typeof given !== 'object' || given === null) return undefined
  return Object.getOwnPropertyDescriptor(given, name)?.value
}

/** What a JSON text says; undefined where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
