import { offsets } from './failures.ts'
import type { Span } from './tokens.ts'

/**
 * Why an expression has no value: `missing` when it names a keyword, or a field of one, that this activity does not
 * have; `failed` for everything else. A value, not an exception: several policies without a value are an ordinary day.
 */
export class Problem {
  readonly kind: 'missing' | 'failed'
  readonly #what: string
  readonly #span: Span | undefined

  /**
   * @param span  the place in the expression. It is put into words when it is read, for each part has problems of its
   *              own.
   */
  constructor(kind: 'missing' | 'failed', what: string, span?: Span) {
    this.kind = kind
    this.#what = what
    this.#span = span
  }

  get reason(): string {
    return this.#span === undefined ? this.#what : `${this.#what} (at ${offsets(this.#span)})`
  }
}

/** The problem that counts of two: a failed one before a missing one, and the first of equals. */
export function moreSevere(first: Problem | undefined, second: Problem): Problem {
  return first === undefined || (first.kind === 'missing' && second.kind === 'failed') ? second : first
}
