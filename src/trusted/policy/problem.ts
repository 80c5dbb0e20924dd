/**
 * Why an expression has no value: `missing` when it names a keyword, or a field of one, that this activity does not
 * have; `failed` for everything else. A value, not an exception: several policies without a value are an ordinary day.
 */
export class Problem {
  readonly kind: 'missing' | 'failed'
  readonly reason: string

  constructor(kind: 'missing' | 'failed', reason: string) {
    this.kind = kind
    this.reason = reason
  }
}

/** The problem that counts of two: a failed one before a missing one, and the first of equals. */
export function moreSevere(first: Problem | undefined, second: Problem): Problem {
  return first === undefined || (first.kind === 'missing' && second.kind === 'failed') ? second : first
}
