import { Caseless } from '../base/caseless.ts'
import { lowerAscii } from '../base/lower-ascii.ts'
import { METER_TEXT_MAX, isInRange } from './limits.ts'
import { print } from './print.ts'
import { failed, type Frame, outOfSteps, type Run, spend, textCost } from './run.ts'
import type { Tree } from './tree.ts'
import { string, struct, type Value, type Vocabulary } from './types.ts'
import { textOf } from './values.ts'
import { moreSevere, Problem } from './problem.ts'

export type UsageTree = Tree & { readonly kind: 'usage' }

/** The user for whom a request counts; beside it stand `usage.sum` and `usage.count`. */
export const usageVocabulary: Vocabulary = { usage: struct({ user: string }) }

/** The use of one activity under one limit. */
export type Use = {
  /** The meter and its strings: the same for all activities that count together. */
  readonly key: string
  /** The strings by which it is counted; strings that compare without regard to case are in lower case. */
  readonly by: readonly string[]
  /** The amount, not negative. */
  readonly amount: bigint
}

/**
 * The text of a meter, normalized in white space: function, amount and the expressions by which it is counted. The
 * window is apart.
 */
export function meterText({ what, amount, by }: UsageTree): string {
  return `${what}(${[...(amount === undefined ? [] : [amount]), ...by].map(print).join(', ')})`
}

/**
 * The same for all uses that are counted together over the same window. In the key of a use the strings come after it.
 */
export function meterKey(tree: UsageTree): string {
  return JSON.stringify([meterText(tree), tree.windowMs])
}

/**
 * The use of the present activity.
 *
 * @param amount  undefined when activities are counted
 */
export function compileUse(
  tree: UsageTree,
  amount: Run | undefined,
  by: readonly Run[],
): (frame: Frame) => Use | Problem {
  const meter = meterKey(tree)
  const noAmount = failed(tree, 'not an amount')
  const noText = failed(tree, 'not a string to count by')
  const tooLong = failed(tree, `more than ${METER_TEXT_MAX} characters to count by`)
  const exhausted = outOfSteps(tree)
  return (frame) => {
    const used = amount === undefined ? 1n : amountOf(amount(frame), noAmount)
    let problem = used instanceof Problem ? used : undefined
    const texts: string[] = []
    for (const run of by) {
      const value = run(frame)
      const text = value instanceof Problem ? value : (countedText(value) ?? noText)
      if (text instanceof Problem) problem = moreSevere(problem, text)
      else if (text.length > METER_TEXT_MAX) problem = moreSevere(problem, tooLong)
      else texts.push(text)
    }
    if (used instanceof Problem || problem !== undefined) return problem ?? noAmount
    const key = JSON.stringify([meter, ...texts])
    return spend(frame, textCost(key, key.length)) ? { key, by: texts, amount: used } : exhausted
  }
}

/** The earlier use, and the use of the present activity. */
export function compileUsage(tree: UsageTree, use: (frame: Frame) => Use | Problem): Run {
  const unknown = failed(tree, 'what was used before is not known')
  return (frame) => {
    const present = use(frame)
    if (present instanceof Problem) return present
    const before = frame.usage?.(present.key)
    return before === undefined ? unknown : before + present.amount
  }
}

function amountOf(value: Value | Problem, noAmount: Problem): bigint | Problem {
  if (value instanceof Problem) return value
  return typeof value === 'bigint' && value >= 0n && isInRange(value) ? value : noAmount
}

/** Texts that are equal count together. */
function countedText(value: Value): string | undefined {
  return value instanceof Caseless ? lowerAscii(value.text) : textOf(value)
}
