import { compare, comparisonCost } from './compare.ts'
import { both, failed, type Frame, one, outOfSteps, plainTextCost, type Run, spend } from './run.ts'
import type { Tree } from './tree.ts'
import type { Value } from './types.ts'
import { isList } from './values.ts'
import { moreSevere, Problem } from './problem.ts'

/**
 * The body of a list function, for each item: the slot of the item, the code to run, and the cost of a run in steps.
 */
export type Body = { readonly run: Run; readonly slot: number; readonly cost: number }

export function compileList(items: readonly Run[]): Run {
  return (frame) => {
    const values: Value[] = []
    let problem: Problem | undefined
    for (const item of items) {
      const value = item(frame)
      if (value instanceof Problem) problem = moreSevere(problem, value)
      else values.push(value)
    }
    return problem ?? values
  }
}

/** Whether the item is in the list; every item is compared. */
export function compileMember(tree: Tree, item: Run, list: Run): Run {
  const noList = failed(tree, 'not a list')
  const notComparable = failed(tree, 'the values cannot be compared')
  const exhausted = outOfSteps(tree)
  return both(item, list, (wanted, values, frame) => {
    if (!isList(values)) return noList
    if (!spend(frame, values.length)) return exhausted
    let found = false
    for (const value of values) {
      const isCosty = typeof wanted === 'object' || isLong(wanted)
      if (isCosty && !spend(frame, comparisonCost(wanted, value))) return exhausted
      const same = compare('==', wanted, value)
      if (same === undefined) return notComparable
      found ||= same
    }
    return found
  })
}

/** Comparing it takes steps of its own. */
function isLong(value: Value): boolean {
  return typeof value === 'string' && plainTextCost(value) > 0
}

export function compileCount(tree: Tree, of: Run): Run {
  const noList = failed(tree, 'not a list')
  return one(of, (list) => (isList(list) ? BigInt(list.length) : noList))
}

export function compileQuantifier(tree: Tree, isAny: boolean, of: Run, body: Body): Run {
  const visit = compileVisit(tree, body)
  return one(of, (list, frame) => {
    let result = !isAny
    const problem = visit(frame, list, (verdict) => {
      if (verdict === isAny) result = isAny
    })
    return problem ?? result
  })
}

export function compileFilter(tree: Tree, of: Run, body: Body): Run {
  const visit = compileVisit(tree, body)
  return one(of, (list, frame) => {
    const kept: Value[] = []
    const problem = visit(frame, list, (verdict, item) => {
      if (verdict) kept.push(item)
    })
    return problem ?? kept
  })
}

type Visit = (frame: Frame, list: Value, each: (verdict: boolean, item: Value) => void) => Problem | undefined

/** Runs the body for every item, also past a missing one; nothing is moreSevere than a failure, so that ends it. */
function compileVisit(tree: Tree, { run, slot, cost }: Body): Visit {
  const noList = failed(tree, 'not a list')
  const noBool = failed(tree, 'not a bool')
  const exhausted = outOfSteps(tree)
  return (frame, list, each) => {
    if (!isList(list)) return noList
    let problem: Problem | undefined
    for (const item of list) {
      if (!spend(frame, cost)) return exhausted
      frame.variables[slot] = item
      const verdict = run(frame)
      if (typeof verdict === 'boolean') each(verdict, item)
      else problem = moreSevere(problem, verdict instanceof Problem ? verdict : noBool)
      if (problem?.kind === 'failed') return problem
    }
    return problem
  }
}
