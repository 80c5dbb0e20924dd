import type { Steps } from '../base/work.ts'
import { check } from './check.ts'
import { type Demand, demandOf, namesCredentials } from './demand.ts'
import { type Expression, expressionOf } from './expression.ts'
import type { LaterApprovals } from './later-approvals.ts'
import { parse } from './parse.ts'
import { type Approval, consensusVocabulary, peopleFacts } from './people.ts'
import { type Budget, spending } from './run.ts'
import type { Facts } from './types.ts'

/** An expression over people, which also has its demand. */
export type Consensus = Expression & {
  readonly demand: Demand
  /** Whether it looks at the credentials too, and not only at the people. */
  readonly namesCredentials: boolean
}

/** @throws Failure `expressionInvalid`, whose message names the place */
export function parseConsensus(text: string): Consensus {
  const tree = parse(text)
  check(tree, consensusVocabulary)
  return { ...expressionOf(text, tree), demand: demandOf(tree), namesCredentials: namesCredentials(tree) }
}

/** Whether the voter's approval, taken alone, counts toward the consensus. Each part is a step. */
export function* contributes({ demand }: Consensus, voter: Approval, budget: Budget): Steps<boolean> {
  return yield* someCounts(demand, peopleFacts([voter]), budget)
}

/** Whether the approval of one of these, taken alone, counts toward the consensus. */
export function* someContributes(
  consensus: Consensus,
  approvals: readonly Approval[],
  budget: Budget,
): Steps<boolean> {
  return yield* some(approvals, (approval) => contributes(consensus, approval, budget))
}

/**
 * Whether approvals of more people could make the consensus true. Each of its parts may hold at another moment, so it
 * may say yes where the truth is no, and an activity waits in vain; but a part that asks for an exact number is not
 * lost because everyone together would exceed it. Each part at each moment is a step.
 */
export function* reachable({ demand }: Consensus, later: LaterApprovals, budget: Budget): Steps<boolean> {
  return yield* couldHold(demand, later, budget)
}

/** Whether an approval could make it false for good. */
export function canBeLost({ demand }: Consensus): boolean {
  return somePartShrinks(demand)
}

function somePartShrinks(demand: Demand): boolean {
  return demand.kind === 'part' ? demand.shrinks : demand.parts.some(somePartShrinks)
}

/** Whether these approvers make it false for good, however many more approve. Each part is a step. */
export function* isLost({ demand }: Consensus, people: Facts, budget: Budget): Steps<boolean> {
  return yield* staysFalse(demand, people, budget)
}

function* staysFalse(demand: Demand, people: Facts, budget: Budget): Steps<boolean> {
  if (isExhausted(budget)) return false
  switch (demand.kind) {
    case 'and':
      return yield* some(demand.parts, (part) => staysFalse(part, people, budget))
    case 'or':
      return yield* every(demand.parts, (part) => staysFalse(part, people, budget))
    case 'part':
      return demand.shrinks && (yield* paid(budget, () => demand.evaluate(people, budget))) === false
  }
}

function* someCounts(demand: Demand, voter: Facts, budget: Budget): Steps<boolean> {
  if (isExhausted(budget)) return false
  if (demand.kind === 'part') return yield* paid(budget, () => demand.counts(voter, budget))
  return yield* some(demand.parts, (part) => someCounts(part, voter, budget))
}

function* couldHold(demand: Demand, later: LaterApprovals, budget: Budget): Steps<boolean> {
  if (isExhausted(budget)) return false
  switch (demand.kind) {
    case 'and':
      return yield* every(demand.parts, (part) => couldHold(part, later, budget))
    case 'or':
      return yield* some(demand.parts, (part) => couldHold(part, later, budget))
    case 'part': {
      const { evaluate, grows } = demand
      // For most parts that is the only question.
      const last = yield* paid(budget, () => evaluate(later.last(), budget))
      if (last === true) return true
      if (last === false && grows) return false
      return yield* some(later.each(), function* (people) {
        return (yield* paid(budget, () => evaluate(people, budget))) === true
      })
    }
  }
}

/** Without steps nothing can be evaluated, so that no part would count or hold. */
function isExhausted({ steps }: Budget): boolean {
  return steps <= 0
}

function* paid<T>(budget: Budget, evaluate: () => T): Steps<T> {
  const spent = spending(budget)
  const value = evaluate()
  yield spent()
  return value
}

function* some<T>(items: readonly T[], holds: (item: T) => Steps<boolean>): Steps<boolean> {
  for (const item of items) if (yield* holds(item)) return true
  return false
}

function* every<T>(items: readonly T[], holds: (item: T) => Steps<boolean>): Steps<boolean> {
  for (const item of items) if (!(yield* holds(item))) return false
  return true
}
