import { check } from './check.ts'
import { compile } from './compile.ts'
import { parse } from './parse.ts'
import type { Tree } from './tree.ts'
import type { Facts, Vocabulary } from './types.ts'
import { Problem } from './values.ts'

/** An expression that was read and checked once, ready to be evaluated often. */
export type Expression = { readonly evaluate: (facts: Facts) => boolean | Problem }

/** @throws Failure `expressionInvalid`, whose message names the place */
export function parseExpression(text: string, vocabulary: Vocabulary): Expression {
  const tree = parse(text)
  check(tree, vocabulary)
  return { evaluate: evaluated(tree) }
}

/** The evaluation of a tree that was checked. */
export function evaluated(tree: Tree): Expression['evaluate'] {
  const evaluate = compile(tree)
  return (facts) => {
    const value = evaluate(facts)
    return typeof value === 'boolean' || value instanceof Problem ? value : NOT_A_BOOL
  }
}

/** Of a fact whose type is not the one that its vocabulary declares. */
const NOT_A_BOOL = new Problem('failed', 'the expression is not a bool')
