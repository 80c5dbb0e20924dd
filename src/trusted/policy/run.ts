import { costs } from '../base/costs.ts'
import type { Units } from '../base/work.ts'
import { DECISION_STEPS_MAX, FURTHER_STEPS_MAX, STEPS_MAX } from './limits.ts'
import type { Tree } from './tree.ts'
import type { Facts, Value } from './types.ts'
import { moreSevere, Problem } from './problem.ts'

/** The use under a key within the window of its meter, without the present activity; undefined when it is not known. */
export type Usage = (key: string) => bigint | undefined

/** One evaluation. `variables` holds the item of each list function around, outermost first. */
export type Frame = {
  readonly facts: Facts
  readonly variables: Value[]
  steps: number
  readonly usage: Usage | undefined
}

/** A part of an expression, compiled. */
export type Run = (frame: Frame) => Value | Problem

/** Steps that are left, for several evaluations together. */
export type Budget = { steps: number }

/**
 * The steps of one decision. Tenants share a process, so the cost of one tenant's policies is bounded for the whole
 * decision, not only for each evaluation.
 *
 * @param things  that the request does, each of which is asked about
 */
export function decisionBudget(things = 1): Budget {
  return { steps: DECISION_STEPS_MAX + (things - 1) * FURTHER_STEPS_MAX }
}

/** The cost of the steps that were taken from a budget since the call before. */
export function spending(budget: Budget): () => Units {
  let before = budget.steps
  return () => {
    const taken = before - budget.steps
    before = budget.steps
    return taken * costs.expressionStep
  }
}

/** Runs both sides, even when the first has no value, and then `make` with the two values. */
export function both(
  left: Run,
  right: Run,
  make: (left: Value, right: Value, frame: Frame) => Value | Problem,
): Run {
  return (frame) => {
    const a = left(frame)
    const b = right(frame)
    if (a instanceof Problem) return b instanceof Problem ? moreSevere(a, b) : a
    return b instanceof Problem ? b : make(a, b, frame)
  }
}

/** Runs one side, and then `make` with its value. */
export function one(of: Run, make: (value: Value, frame: Frame) => Value | Problem): Run {
  return (frame) => {
    const value = of(frame)
    return value instanceof Problem ? value : make(value, frame)
  }
}

/** False when the evaluation has used up its steps. */
export function spend(frame: Frame, steps: number): boolean {
  frame.steps -= steps
  return frame.steps >= 0
}

/** Steps for reading the first `length` characters of a text, which are cheaper than nodes. */
export function textCost(text: string, length: number): number {
  return Math.min(text.length, length) >> 4
}

/** Steps for comparing a plain text with another of its length. */
export function plainTextCost(text: string): number {
  return text.length >> 6
}

export function failed(tree: Tree, what: string): Problem {
  return new Problem('failed', what, tree.span)
}

export function outOfSteps(tree: Tree): Problem {
  return failed(tree, OUT_OF_STEPS)
}

const OUT_OF_STEPS = `more than ${STEPS_MAX} steps, or too many in all`
