import { check } from './check.ts'
import { type Demand, demandOf } from './demand.ts'
import { type Expression, expressionOf } from './expression.ts'
import type { LaterApprovals } from './later-approvals.ts'
import { parse } from './parse.ts'
import { type Approval, consensusVocabulary, peopleFacts } from './people.ts'
import type { Budget } from './run.ts'
import type { Facts } from './types.ts'

/** An expression over people, which also has its demand. */
export type Consensus = Expression & { readonly demand: Demand }

/** @throws Failure `expressionInvalid`, whose message names the place */
export function parseConsensus(text: string): Consensus {
  const tree = parse(text)
  check(tree, consensusVocabulary)
  return { ...expressionOf(text, tree), demand: demandOf(tree) }
}

/** Whether the voter's approval, taken alone, counts toward the consensus. */
export function contributes({ demand }: Consensus, voter: Approval, budget: Budget): boolean {
  return someCounts(demand, peopleFacts([voter]), budget)
}

/**
 * Whether approvals of more people could make the consensus true. Each of its parts may hold at another moment, so it
 * may say yes where the truth is no, and an activity waits in vain; but a part that asks for an exact number is not
 * lost because everyone together would exceed it.
 */
export function reachable({ demand }: Consensus, later: LaterApprovals, budget: Budget): boolean {
  return couldHold(demand, later, budget)
}

/** Whether an approval could make it false for good. */
export function canBeLost({ demand }: Consensus): boolean {
  return somePartShrinks(demand)
}

function somePartShrinks(demand: Demand): boolean {
  return demand.kind === 'part' ? demand.shrinks : demand.parts.some(somePartShrinks)
}

/** Whether these approvers make it false for good, however many more approve. */
export function isLost({ demand }: Consensus, people: Facts, budget: Budget): boolean {
  return staysFalse(demand, people, budget)
}

function staysFalse(demand: Demand, people: Facts, budget: Budget): boolean {
  switch (demand.kind) {
    case 'and':
      return demand.parts.some((part) => staysFalse(part, people, budget))
    case 'or':
      return demand.parts.every((part) => staysFalse(part, people, budget))
    case 'part':
      return demand.shrinks && demand.evaluate(people, budget) === false
  }
}

function someCounts(demand: Demand, voter: Facts, budget: Budget): boolean {
  if (demand.kind === 'part') return demand.counts(voter, budget)
  return demand.parts.some((part) => someCounts(part, voter, budget))
}

function couldHold(demand: Demand, later: LaterApprovals, budget: Budget): boolean {
  switch (demand.kind) {
    case 'and':
      return demand.parts.every((part) => couldHold(part, later, budget))
    case 'or':
      return demand.parts.some((part) => couldHold(part, later, budget))
    case 'part': {
      const { evaluate, grows } = demand
      // For most parts that is the only question.
      const last = evaluate(later.last(), budget)
      if (last === true) return true
      if (last === false && grows) return false
      return later.each().some((people) => evaluate(people, budget) === true)
    }
  }
}
