/**
 * How long an answer is waited for, in milliseconds, before the client tries again; and how long for all tries
 * together.
 */
export type Limit = { readonly tryMs: number; readonly allMs: number }

export type Limits = {
  /** For what is answered at once. */
  readonly asked: Limit
  /** For a part or a range, on a slow line too. */
  readonly moved: Limit
  /** Some servers put the parts together only now, and say nothing meanwhile. */
  readonly completed: Limit
}

const SECOND_MS = 1_000

export const LIMITS: Limits = {
  asked: { tryMs: 30 * SECOND_MS, allMs: 120 * SECOND_MS },
  moved: { tryMs: 120 * SECOND_MS, allMs: 480 * SECOND_MS },
  completed: { tryMs: 300 * SECOND_MS, allMs: 900 * SECOND_MS },
}

/** Where a request of a user waits for a few short ranges. */
export const AWAITED: Limits = {
  ...LIMITS,
  asked: { tryMs: 3 * SECOND_MS, allMs: 8 * SECOND_MS },
  moved: { tryMs: 5 * SECOND_MS, allMs: 12 * SECOND_MS },
}
