import { Failure } from '../base/failure.ts'
import { check } from './check.ts'
import { compile } from './compile.ts'
import { type Budget, decisionBudget, type Usage } from './run.ts'
import { expressionInvalid } from './failures.ts'
import { PARTS_MAX } from './limits.ts'
import { parse } from './parse.ts'
import type { Recorder } from './record.ts'
import { sizeOf, type Tree } from './tree.ts'
import type { Facts, Vocabulary } from './types.ts'
import { Problem } from './problem.ts'

/** An expression that was read and checked once, ready to be evaluated often. */
export type Expression = {
  readonly text: string
  /** The number of its parts, those of its controls among them. */
  readonly parts: number
  /** All evaluations of one decision share a budget. Without `usage`, a part that asks for it fails. */
  readonly evaluate: (facts: Facts, budget?: Budget, usage?: Usage) => boolean | Problem
  /** The same evaluation, with a recorder listening. Reads the text again, so that only explaining pays for it. */
  readonly recorded: (recorder: Recorder) => Expression['evaluate']
}

/** @throws Failure `expressionInvalid`, whose message names the place */
export function parseExpression(text: string, vocabulary: Vocabulary): Expression {
  const tree = parse(text)
  check(tree, vocabulary)
  return expressionOf(text, tree)
}

/**
 * Refuses an expression that has too many parts to be written. One that was stored before there was this bound is read
 * as ever.
 *
 * @throws Failure `expressionInvalid`
 */
export function checkParts<E extends Pick<Expression, 'parts'>>(expression: E): E {
  const { parts } = expression
  if (parts > PARTS_MAX)
    throw expressionInvalid({
      reason: `${parts} parts, of ${PARTS_MAX} at most: write it with fewer, or as several policies`,
    })
  return expression
}

/**
 * @param tree   the tree of the text, checked
 * @param again  reads it once more
 */
export function expressionOf(text: string, tree: Tree, again = (): Tree => parse(text)): Expression {
  return {
    text,
    parts: sizeOf(tree),
    evaluate: evaluated(tree),
    recorded: (recorder) => evaluated(again(), recorder),
  }
}

/** Like `parseExpression`, for a stored text; undefined when the text no longer fits the vocabulary. */
export function readExpression(text: string, vocabulary: Vocabulary): Expression | undefined {
  try {
    return parseExpression(text, vocabulary)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** The evaluation of a tree that was checked. */
export function evaluated(tree: Tree, recorder?: Recorder): Expression['evaluate'] {
  const evaluate = compile(tree, recorder)
  return (facts, budget = decisionBudget(), usage) => {
    const value = evaluate(facts, budget, usage)
    return typeof value === 'boolean' || value instanceof Problem ? value : NOT_A_BOOL
  }
}

/** The problem of a fact whose type is not the one that its vocabulary declares. */
const NOT_A_BOOL = new Problem('failed', 'the expression is not a bool')
