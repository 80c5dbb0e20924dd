import type { Answered } from '../../service/answered.ts'

/** Why a policy came to its outcome, as short as it can be said. */
export type Reason = {
  /** Which of its expressions decided. */
  readonly of: 'condition' | 'consensus' | 'time'
  /** The one part that did not hold, or why it has no value. */
  readonly part: { readonly text: string; readonly was: string | undefined } | { readonly problem: string }
}

const EXPRESSIONS = ['condition', 'consensus', 'time'] as const

/** The first expression that does not hold, and the first part that makes it so; undefined where all hold. */
export function reasonOf(policy: Answered): Reason | undefined {
  for (const of of EXPRESSIONS) {
    const expression = policy.has(of) ? policy.object(of) : undefined
    if (expression === undefined || !expression.has('result') || valueOf(expression) === 'true') continue
    const problem = problemOf(expression)
    if (problem !== undefined) return { of, part: { problem } }
    const part = expression.has('whole') ? firstFalse(expression.object('whole')) : expression
    return { of, part: { text: part.text('text'), was: comparedIn(part) } }
  }
  return undefined
}

/** Of parts that have to hold together, the first that does not. */
function firstFalse(part: Answered): Answered {
  if (part.text('kind') !== 'and') return part
  const inner = part.list('parts').find((one) => valueOf(one) === 'false')
  return inner === undefined ? part : firstFalse(inner)
}

/** What the left side of a comparison came to, where it is not written there as it is. */
function comparedIn(part: Answered): string | undefined {
  if (!part.has('kind') || !['comparison', 'member'].includes(part.text('kind'))) return undefined
  const [left] = part.list('parts')
  return left === undefined || left.text('kind') === 'literal' ? undefined : valueOf(left)
}

function valueOf(told: Answered): string | undefined {
  const result = told.object('result')
  return result.has('value') ? result.text('value') : undefined
}

function problemOf(told: Answered): string | undefined {
  const result = told.object('result')
  return result.has('problem') ? result.object('problem').text('reason') : undefined
}
