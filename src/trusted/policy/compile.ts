import { Caseless, caseless } from '../base/caseless.ts'
import { compileField, compileIndex, compileName, compileSlice } from './access.ts'
import { compare, comparisonCost } from './compare.ts'
import { compileCronSpan } from './cron-span.ts'
import { STEPS_MAX } from './limits.ts'
import {
  type Body,
  compileCount,
  compileFilter,
  compileList,
  compileMember,
  compileQuantifier,
} from './lists.ts'
import { compileUsage, compileUse, type UsageTree, type Use } from './meter.ts'
import {
  both,
  type Budget,
  failed,
  type Frame,
  one,
  outOfSteps,
  type Run,
  spend,
  textCost,
  type Usage,
} from './run.ts'
import type { Recorder } from './record.ts'
import { type ComparisonOperator, sizeOf, type Tree } from './tree.ts'
import type { Facts, Value } from './types.ts'
import { textOf } from './values.ts'
import { moreSevere, Problem } from './problem.ts'

/** The value of an expression for one activity, or why it has none. It takes its steps from the budget. */
export type Evaluate = (facts: Facts, budget: Budget, usage?: Usage) => Value | Problem

/**
 * Makes the function that evaluates a checked tree. There is no short circuit: both sides of an operator and every
 * item of a list are evaluated, so a problem anywhere is a problem of the whole, whichever side it is written on.
 *
 * @param recorder  is told every step; without one there is nothing that could cost
 */
export function compile(tree: Tree, recorder?: Recorder): Evaluate {
  return withinBudget(tree, compileNode(tree, { names: [], recorder }))
}

/** Compiles a part of a checked tree that asks for usage: to the use of an activity. */
export function compileUseOf(tree: UsageTree): (facts: Facts, budget: Budget) => Use | Problem {
  return withinBudget(tree, compileUsePart(tree, { names: [], recorder: undefined }))
}

/** One evaluation: it takes its steps from the budget. */
function withinBudget<R>(
  tree: Tree,
  run: (frame: Frame) => R,
): (facts: Facts, budget: Budget, usage?: Usage) => R | Problem {
  const size = sizeOf(tree)
  const exhausted = outOfSteps(tree)
  return (facts, budget, usage) => {
    const granted = Math.min(STEPS_MAX, budget.steps)
    if (size > granted) {
      // As one that runs out on its way: otherwise thousands of parts would be asked in vain, at no cost.
      budget.steps -= granted
      return exhausted
    }
    const frame: Frame = { facts, variables: [], steps: granted - size, usage }
    const result = run(frame)
    budget.steps -= granted - Math.max(0, frame.steps)
    return result
  }
}

type Scope = {
  /** The variables of the list functions around, outermost first. */
  readonly names: readonly string[]
  readonly recorder: Recorder | undefined
}

function compileNode(tree: Tree, scope: Scope): Run {
  const run = compilePart(tree, scope)
  return scope.recorder === undefined ? run : scope.recorder.listening(tree, run)
}

function compilePart(tree: Tree, scope: Scope): Run {
  const { names } = scope
  const part = (child: Tree): Run => compileNode(child, scope)
  switch (tree.kind) {
    case 'literal': {
      const { value } = tree
      return () => value
    }
    case 'list':
      return compileList(tree.items.map(part))
    case 'name':
      return compileName(tree, tree.name, names)
    case 'field':
      return compileField(tree, tree.name, part(tree.of), isOfKeyword(tree.of, names))
    case 'index':
      return compileIndex(tree, part(tree.of), part(tree.index))
    case 'slice':
      return compileSlice(tree, part(tree.of), tree.from, tree.to)
    case 'and':
    case 'or':
      return compileChain(tree, tree.parts.map(part), tree.kind === 'and')
    case 'not':
      return compileNot(tree, part(tree.operand))
    case 'comparison':
      return compileComparison(tree, tree.operator, part(tree.left), part(tree.right))
    case 'member':
      return compileMember(tree, part(tree.item), part(tree.list))
    case 'any':
    case 'all':
      return compileQuantifier(tree, tree.kind === 'any', part(tree.of), bodyOf(tree, scope))
    case 'filter':
      return compileFilter(tree, part(tree.of), bodyOf(tree, scope))
    case 'count':
      return compileCount(tree, part(tree.of))
    case 'caseless':
      return compileCaseless(tree, part(tree.operand))
    case 'timestamp': {
      const { at } = tree
      return () => at
    }
    case 'cronSpan':
      return compileCronSpan(tree)
    case 'usage':
      return compileUsage(tree, compileUsePart(tree, scope))
  }
}

function compileUsePart(tree: UsageTree, scope: Scope): (frame: Frame) => Use | Problem {
  const amount = tree.amount === undefined ? undefined : compileNode(tree.amount, scope)
  return compileUse(
    tree,
    amount,
    tree.by.map((text) => compileNode(text, scope)),
  )
}

/** A keyword, or fields of one. */
function isOfKeyword(tree: Tree, names: readonly string[]): boolean {
  return tree.kind === 'field'
    ? isOfKeyword(tree.of, names)
    : tree.kind === 'name' && !names.includes(tree.name)
}

function bodyOf(tree: Tree & { readonly kind: 'any' | 'all' | 'filter' }, scope: Scope): Body {
  const { names, recorder } = scope
  const slot = names.length
  const run = compileNode(tree.body, { names: [...names, tree.variable], recorder })
  const heard = recorder === undefined ? run : recorder.withItem(tree.variable, slot, run)
  return { run: heard, slot, cost: sizeOf(tree.body) }
}

function compileChain(tree: Tree, parts: readonly Run[], isAnd: boolean): Run {
  const noBool = failed(tree, 'not a bool')
  return (frame) => {
    let result = isAnd
    let problem: Problem | undefined
    for (const part of parts) {
      const value = part(frame)
      if (value === !isAnd) result = value
      else if (value !== isAnd) problem = moreSevere(problem, value instanceof Problem ? value : noBool)
    }
    return problem ?? result
  }
}

function compileNot(tree: Tree, operand: Run): Run {
  const noBool = failed(tree, 'not a bool')
  return one(operand, (value) => (typeof value === 'boolean' ? !value : noBool))
}

function compileComparison(tree: Tree, operator: ComparisonOperator, left: Run, right: Run): Run {
  const notComparable = failed(tree, 'the values cannot be compared')
  const exhausted = outOfSteps(tree)
  const isEqual = operator === '=='
  const isEquality = isEqual || operator === '!='
  return both(left, right, (a, b, frame) => {
    // Most comparisons are of two plain strings, and short: texts of different lengths are not even looked into.
    if (
      isEquality &&
      typeof a === 'string' &&
      typeof b === 'string' &&
      (a.length !== b.length || a.length < SHORT)
    )
      return (a === b) === isEqual
    if (!spend(frame, comparisonCost(a, b))) return exhausted
    return compare(operator, a, b) ?? notComparable
  })
}

/** Below it, comparing two texts takes no step of its own. */
const SHORT = 64

function compileCaseless(tree: Tree, operand: Run): Run {
  const noString = failed(tree, 'not a string')
  const exhausted = outOfSteps(tree)
  return one(operand, (value, frame) => {
    const text = textOf(value)
    if (text === undefined) return noString
    if (!spend(frame, textCost(text, text.length))) return exhausted
    const lower = text.toLowerCase()
    return value instanceof Caseless ? caseless(lower) : lower
  })
}
