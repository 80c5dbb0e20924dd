/** A broken invariant is a bug of ours: it stops the request with a 500 and a log line, and is never shown. */
export class Bug extends Error {
  override readonly name = 'Bug'
}

export function assert(condition: boolean, invariant: string): asserts condition {
  if (!condition) throw new Bug(invariant)
}

/** The value, where its absence would be a bug. */
export function present<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Bug(`missing: ${what}`)
  return value
}
