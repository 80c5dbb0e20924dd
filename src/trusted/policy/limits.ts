import { DAY_MS } from './duration.ts'

/** UTF-16 code units of one expression: about 350 addresses in a list. */
export const SOURCE_LENGTH_MAX = 16_384

/**
 * The parts of one expression that is to be written: each is kept compiled, in some hundred bytes. A long text of the
 * usual words has half as many; one of `!` and digits could have three times as many.
 */
export const PARTS_MAX = 5_000

/** The parts of all expressions of a draft: about as many as a request has room for in the usual words. */
export const DRAFT_PARTS_MAX = 200_000

/** Levels of nesting of brackets, calls, `!`, and links of one chain of `.field` and `[index]`. */
export const DEPTH_MAX = 64

/** The longest window that a `CronSpan` opens. */
export const CRON_SPAN_MAX_MS = 7 * DAY_MS

/** The longest window of `usage`. */
export const USAGE_WINDOW_MAX_MS = 31 * DAY_MS

/** How often one expression may ask for `usage`: the meters have to be found before it is evaluated. */
export const USAGES_MAX = 8

/** The number of strings by which a usage may be counted. */
export const USAGE_BY_MAX = 4

/** UTF-16 code units of one of them. */
export const METER_TEXT_MAX = 256

/** The steps of one evaluation, in visited nodes; a few milliseconds. */
export const STEPS_MAX = 100_000

/** The steps of all evaluations of one decision together; some tens of milliseconds. */
export const DECISION_STEPS_MAX = 1_000_000

/** Further steps for each further thing that a request does: several times as many as a hundred short policies take. */
export const FURTHER_STEPS_MAX = 5_000

/** From the least signed number of 128 bits to the greatest unsigned one of 256: the numbers of chains. */
const INT_MIN = -(2n ** 127n)
const INT_MAX = 2n ** 256n - 1n

/** Whether an int can be written and compared. A fact may be any int. */
export function isInRange(value: bigint): boolean {
  return value >= INT_MIN && value <= INT_MAX
}
