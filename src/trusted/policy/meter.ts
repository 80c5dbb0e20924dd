import { Caseless } from '../base/caseless.ts'
import { METER_TEXT_MAX, isInRange } from './limits.ts'
import { print } from './print.ts'
import { failed, type Frame, outOfSteps, type Run, spend, textCost } from './run.ts'
import type { Tree } from './tree.ts'
import { string, struct, type Value, type Vocabulary } from './types.ts'
import { textOf } from './values.ts'
import { graver, Problem } from './problem.ts'

export type UsageTree = Tree & { readonly kind: 'usage' }

/** Whom a request counts for; beside it stand `usage.sum` and `usage.count`. */
export const usageVocabulary: Vocabulary = { usage: struct({ user: string }) }

/** What one activity uses of what a limit counts. */
export type Use = {
  /** Meter and what it is counted by: the same for all activities that count together. */
  readonly key: string
  /** What it is counted by; texts whose case does not count are in small letters. */
  readonly by: readonly string[]
  /** Not negative. */
  readonly amount: bigint
}

/**
 * What a meter counts, whatever the white space it is written with: function, amount and what it is counted by. The window
 * is apart.
 */
export function meterText({ what, amount, by }: UsageTree): string {
  return `${what}(${[...(amount === undefined ? [] : [amount]), ...by].map(print).join(', ')})`
}

/** The same for what is counted together over the same window. What it is counted by comes after it in the key of a use. */
export function meterKey(tree: UsageTree): string {
  return JSON.stringify([meterText(tree), tree.windowMs])
}

/**
 * What the present activity uses.
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
      if (text instanceof Problem) problem = graver(problem, text)
      else if (text.length > METER_TEXT_MAX) problem = graver(problem, tooLong)
      else texts.push(text)
    }
    if (used instanceof Problem || problem !== undefined) return problem ?? noAmount
    const key = JSON.stringify([meter, ...texts])
    return spend(frame, textCost(key, key.length)) ? { key, by: texts, amount: used } : exhausted
  }
}

/** What was used before, and what the present activity uses. */
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
  const text = textOf(value)
  return value instanceof Caseless ? text?.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text
}
