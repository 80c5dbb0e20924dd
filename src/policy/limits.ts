/** UTF-16 code units of one expression: about 350 addresses in a list. */
export const SOURCE_LENGTH_MAX = 16_384

/** Levels of nesting of brackets, calls, `!`, and links of one chain of `.field` and `[index]`. */
export const DEPTH_MAX = 64

/** What one evaluation may cost, in visited nodes; a few milliseconds. */
export const STEPS_MAX = 100_000

/** What all evaluations of one decision may cost together; some tens of milliseconds. */
export const DECISION_STEPS_MAX = 1_000_000

export const INT_MIN = -(2n ** 127n)
export const INT_MAX = 2n ** 127n - 1n

export function isInt128(value: bigint): boolean {
  return value >= INT_MIN && value <= INT_MAX
}
