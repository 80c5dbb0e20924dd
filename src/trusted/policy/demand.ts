import { compile, type Evaluate } from './compile.ts'
import { consensusVocabulary } from './people.ts'
import type { Budget } from './run.ts'
import { children, type Tree } from './tree.ts'
import type { Facts } from './types.ts'

/** The demand of a consensus: its `&&` and `||`, and as leaves the parts between them. */
export type Demand =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Demand[] }
  | {
      readonly kind: 'part'
      readonly evaluate: Evaluate
      /** Whether it counts one of these people. */
      readonly counts: (people: Facts, budget: Budget) => boolean
      /** Whether more people can only ever make it true, never false. */
      readonly grows: boolean
      /** Whether more people can only ever make it false, never true. */
      readonly shrinks: boolean
    }

export function demandOf(tree: Tree): Demand {
  if (tree.kind === 'and' || tree.kind === 'or') return { kind: tree.kind, parts: tree.parts.map(demandOf) }
  const evaluate = compile(tree)
  return {
    kind: 'part',
    evaluate,
    counts: countsOf(tree, evaluate),
    grows: grows(tree),
    shrinks: shrinks(tree),
  }
}

/** A part counts a user who is in a list that it counts, or who makes it true alone. A part under `!` counts nobody. */
function countsOf(tree: Tree, evaluate: Evaluate): (people: Facts, budget: Budget) => boolean {
  if (tree.kind === 'not' || !namesPeople(tree)) return () => false
  const lists = countedLists(tree).map((list) => compile(list))
  const isInSome = (people: Facts, budget: Budget): boolean =>
    lists.some((list) => hasItems(list(people, budget)))
  if (lists.length > 0) return isInSome
  const isTrue = (people: Facts, budget: Budget): boolean => evaluate(people, budget) === true
  if (tree.kind !== 'all') return isTrue
  // `all` is true of an empty list: a user who was filtered out of the list is not counted.
  const list = compile(tree.of)
  return (people, budget) => hasItems(list(people, budget)) && isTrue(people, budget)
}

function hasItems(value: ReturnType<Evaluate>): boolean {
  return Array.isArray(value) && value.length > 0
}

/** The lists whose length it looks at itself, in a comparison or an `in`. */
function countedLists(tree: Tree): readonly Tree[] {
  return children(tree).flatMap((side) => (side.kind === 'count' && namesPeople(side) ? [side.of] : []))
}

/** The common forms: someone like this, at least so many like this. False is always a safe answer. */
function grows(tree: Tree): boolean {
  if (tree.kind === 'any') return growsAsList(tree.of) && !namesPeople(tree.body)
  if (tree.kind !== 'comparison') return false
  const { operator, left, right } = tree
  if (operator === '>' || operator === '>=') return growsAsCount(left) && right.kind === 'literal'
  return (operator === '<' || operator === '<=') && left.kind === 'literal' && growsAsCount(right)
}

/**
 * The common forms: all like this, nobody like this, at most so many like this. False is always a safe answer. It is
 * the answer for credentials: a user approves with one of several.
 */
function shrinks(tree: Tree): boolean {
  if (namesCredentials(tree)) return false
  if (tree.kind === 'all') return growsAsList(tree.of) && !namesPeople(tree.body)
  if (tree.kind === 'not') return children(tree).every(grows)
  if (tree.kind !== 'comparison') return false
  const { operator, left, right } = tree
  if (operator === '<' || operator === '<=') return growsAsCount(left) && right.kind === 'literal'
  return (operator === '>' || operator === '>=') && left.kind === 'literal' && growsAsCount(right)
}

function growsAsCount(tree: Tree): boolean {
  return tree.kind === 'count' && growsAsList(tree.of)
}

function growsAsList(tree: Tree): boolean {
  return tree.kind === 'name' || (tree.kind === 'filter' && growsAsList(tree.of) && !namesPeople(tree.body))
}

/**
 * A variable that hides one of these keywords is taken for it; at worst an activity waits that could have been refused.
 */
function namesPeople(tree: Tree): boolean {
  return names(tree, (name) => Object.hasOwn(consensusVocabulary, name))
}

/** Also a variable that hides the keyword is taken for it. */
export function namesCredentials(tree: Tree): boolean {
  return names(tree, (name) => name === 'credentials')
}

function names(tree: Tree, isWanted: (name: string) => boolean): boolean {
  if (tree.kind === 'name') return isWanted(tree.name)
  return children(tree).some((child) => names(child, isWanted))
}
