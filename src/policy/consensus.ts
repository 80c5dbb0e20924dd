import { check } from './check.ts'
import { compile, type Evaluate } from './compile.ts'
import { type Expression, evaluated } from './expression.ts'
import { parse } from './parse.ts'
import { type Approval, consensusVocabulary, peopleFacts } from './people.ts'
import { children, type Tree } from './tree.ts'
import type { Facts } from './types.ts'

/** An expression over people, which can also say whom it waits for. */
export type Consensus = Expression & { readonly demand: Demand }

/**
 * What a consensus demands: its `&&` and `||`, and as leaves the parts between them. Everything else about a part is
 * its own business.
 */
export type Demand =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Demand[] }
  | {
      readonly kind: 'part'
      readonly holds: (people: Facts) => boolean
      /** Whether it counts one of these people towards what it asks for. */
      readonly counts: (people: Facts) => boolean
    }

/** @throws Failure `expressionInvalid`, whose message names the place */
export function parseConsensus(text: string): Consensus {
  const tree = parse(text)
  check(tree, consensusVocabulary)
  return { evaluate: evaluated(tree), demand: demandOf(tree) }
}

/** Whether the voter's approval, taken alone, is some of what the consensus asks for. */
export function contributes({ demand }: Consensus, voter: Approval): boolean {
  return someCounts(demand, peopleFacts([voter]))
}

/**
 * Whether approvals of more people could make the consensus true. The others are added one after the other, in the
 * order given, and each part may hold at another moment; so it may say yes where the truth is no (and an activity waits
 * in vain), but a part that asks for an exact number is not lost when everyone together would exceed it.
 *
 * @param approvals  those that are there
 * @param everyone   all who could approve, each with all credentials; who has approved may be among them
 */
export function reachable(
  { demand }: Consensus,
  approvals: readonly Approval[],
  everyone: readonly Approval[],
): boolean {
  const approved = new Set(approvals.map(({ user }) => user.id))
  const all = [...approvals, ...everyone.filter(({ user }) => !approved.has(user.id))]
  // Everyone first: for most consensuses that is the only question.
  return couldHold(demand, [peopleFacts(all)]) || couldHold(demand, momentsOf(all, approvals.length))
}

/** The people at each moment, from the first `count` of them to all. */
function momentsOf(all: readonly Approval[], count: number): readonly Facts[] {
  return Array.from({ length: all.length - count + 1 }, (_, more) => peopleFacts(all.slice(0, count + more)))
}

function someCounts(demand: Demand, voter: Facts): boolean {
  return demand.kind === 'part' ? demand.counts(voter) : demand.parts.some((part) => someCounts(part, voter))
}

function couldHold(demand: Demand, moments: readonly Facts[]): boolean {
  switch (demand.kind) {
    case 'part':
      return moments.some(demand.holds)
    case 'and':
      return demand.parts.every((part) => couldHold(part, moments))
    case 'or':
      return demand.parts.some((part) => couldHold(part, moments))
  }
}

function demandOf(tree: Tree): Demand {
  if (tree.kind === 'and' || tree.kind === 'or') return { kind: tree.kind, parts: tree.parts.map(demandOf) }
  const evaluate = compile(tree)
  const holds = (people: Facts): boolean => evaluate(people) === true
  return { kind: 'part', holds, counts: countsOf(tree, holds) }
}

/** A part counts whoever is in a list that it counts, or makes it true alone. What it excludes (`!`) it does not count. */
function countsOf(tree: Tree, holds: (people: Facts) => boolean): (people: Facts) => boolean {
  if (tree.kind === 'not' || !namesPeople(tree)) return () => false
  const lists = countedLists(tree).map(compile)
  if (lists.length > 0) return (people) => lists.some((list) => hasItems(list, people))
  if (tree.kind !== 'all') return holds
  // `all` is true of an empty list: who was filtered out of it is not counted by it.
  const list = compile(tree.of)
  return (people) => hasItems(list, people) && holds(people)
}

function hasItems(list: Evaluate, people: Facts): boolean {
  const value = list(people)
  return Array.isArray(value) && value.length > 0
}

/** The lists whose length a comparison, or an `in`, looks at. */
function countedLists(tree: Tree): readonly Tree[] {
  if (tree.kind !== 'comparison' && tree.kind !== 'member') return []
  return children(tree).flatMap((side) => (side.kind === 'count' && namesPeople(side) ? [side.of] : []))
}

/** A variable that hides one of these keywords is taken for it; at worst an activity waits that could have been refused. */
function namesPeople(tree: Tree): boolean {
  if (tree.kind === 'name') return Object.hasOwn(consensusVocabulary, tree.name)
  return children(tree).some(namesPeople)
}
