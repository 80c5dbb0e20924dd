import { check } from './check.ts'
import { compile } from './compile.ts'
import { parse } from './parse.ts'
import type { Facts, Vocabulary } from './types.ts'
import { Problem } from './values.ts'

/** An expression that was read and checked once, ready to be evaluated often. */
export type Expression = { readonly evaluate: (facts: Facts) => boolean | Problem }

/** @throws Failure `expressionInvalid`, whose message names the place */
export function parseExpression(text: string, vocabulary: Vocabulary): Expression {
  const tree = parse(text)
  check(tree, vocabulary)
  const evaluate = compile(tree)
  return {
    evaluate: (facts) => {
      const value = evaluate(facts)
      return typeof value === 'boolean' || value instanceof Problem ? value : NOT_A_BOOL
    },
  }
}

/** Stands for a stored expression that is no longer one: it always fails. */
export function brokenExpression(reason: string): Expression {
  const problem = new Problem('failed', reason)
  return { evaluate: () => problem }
}

/** Of a fact whose type is not the one that its vocabulary declares. */
const NOT_A_BOOL = new Problem('failed', 'the expression is not a bool')
