import { excerpt, expressionInvalid, offsets } from './failures.ts'
import { DEPTH_MAX } from './limits.ts'
import type { Tree } from './tree.ts'
import {
  bool,
  common,
  dynamic,
  int,
  isScalar,
  list,
  nameOfType,
  nothing,
  string,
  timestamp,
  type Type,
  type Vocabulary,
} from './types.ts'
import { own } from './values.ts'

/**
 * Checks that an expression is a bool and names only keywords of the vocabulary.
 *
 * @throws Failure `expressionInvalid`, whose message names the place
 */
export function check(tree: Tree, vocabulary: Vocabulary): void {
  wanted(bool, tree, { vocabulary, variables: new Map(), depth: 0, isInUsage: false })
}

type Scope = {
  readonly vocabulary: Vocabulary
  readonly variables: ReadonlyMap<string, Type>
  readonly depth: number
  readonly isInUsage: boolean
}

function typeOf(tree: Tree, outer: Scope): Type {
  // The parser bounds brackets only; a long chain of links is as deep a tree.
  if (outer.depth >= DEPTH_MAX) throw refused(tree, `nested deeper than ${DEPTH_MAX} levels`)
  const scope = { ...outer, depth: outer.depth + 1 }
  switch (tree.kind) {
    case 'literal':
      return typeOfLiteral(tree.value)
    case 'list':
      return list(typeOfItems(tree.items, scope))
    case 'name':
      return typeOfName(tree, tree.name, scope)
    case 'field':
      return typeOfField(tree, tree.name, typeOf(tree.of, scope))
    case 'index':
      return typeOfIndex(tree.of, tree.index, scope)
    case 'slice':
      return typeOfSlice(tree, tree.of, tree.to - tree.from, scope)
    case 'and':
    case 'or':
      for (const part of tree.parts) wanted(bool, part, scope)
      return bool
    case 'not':
      return wanted(bool, tree.operand, scope)
    case 'comparison':
      return typeOfComparison(tree, tree.left, tree.right, /^[=!]/.test(tree.operator), scope)
    case 'member':
      return typeOfMember(tree.item, tree.list, scope)
    case 'any':
    case 'all':
    case 'filter': {
      const of = listType(tree.of, scope)
      const variables = new Map(scope.variables).set(tree.variable, of.of)
      wanted(bool, tree.body, { ...scope, variables })
      return tree.kind === 'filter' ? of : bool
    }
    case 'count':
      listType(tree.of, scope)
      return int
    case 'caseless':
      return wanted(string, tree.operand, scope)
    case 'timestamp':
      return timestamp
    case 'cronSpan':
      // It asks for the time without naming it.
      if (own(scope.vocabulary, 'time') === undefined)
        throw refused(tree, 'CronSpan is for the time of a policy')
      return bool
    case 'usage':
      return typeOfUsage(tree, scope)
  }
}

/** The meter has to be known before anything is evaluated, and so cannot depend on an item of a list. */
function typeOfUsage(tree: Tree & { readonly kind: 'usage' }, scope: Scope): Type {
  if (scope.variables.size > 0) throw refused(tree, 'usage cannot be asked inside a list function')
  if (own(scope.vocabulary, 'usage') === undefined) throw refused(tree, 'keyword does not exist: usage')
  if (scope.isInUsage) throw refused(tree, 'usage cannot be asked inside usage')
  const inner = { ...scope, isInUsage: true }
  if (tree.amount !== undefined) wanted(int, tree.amount, inner)
  for (const text of tree.by) wanted(string, text, inner)
  return int
}

function wanted(type: Type, tree: Tree, scope: Scope): Type {
  const found = typeOf(tree, scope)
  if (common(found, type) === undefined) throw mismatch(tree, `${nameOfType(type)} expected`, found)
  return type
}

function typeOfLiteral(value: boolean | bigint | string): Type {
  if (typeof value === 'string') return string
  return typeof value === 'bigint' ? int : bool
}

function typeOfItems(items: readonly Tree[], scope: Scope): Type {
  let type: Type = nothing
  for (const item of items) {
    const found = typeOf(item, scope)
    const both = common(type, found)
    if (both === undefined) throw mismatch(item, `${nameOfType(type)} expected like the items before`, found)
    type = both
  }
  return type
}

/** A variable hides a keyword of its name, so that a new keyword never changes what a stored policy means. */
function typeOfName(tree: Tree, name: string, scope: Scope): Type {
  const type = scope.variables.get(name) ?? own(scope.vocabulary, name)
  if (type === undefined) throw refused(tree, `keyword does not exist: ${excerpt(name)}`)
  return type
}

function typeOfField(tree: Tree, name: string, of: Type): Type {
  const type = of.kind === 'struct' ? own(of.fields, name) : undefined
  if (type === undefined) throw refused(tree, `field does not exist: ${excerpt(name)}`)
  return type
}

function typeOfIndex(of: Tree, index: Tree, scope: Scope): Type {
  const type = typeOf(of, scope)
  if (type.kind === 'dynamic') {
    const key = typeOf(index, scope)
    if (common(key, int) === undefined && common(key, string) === undefined)
      throw mismatch(index, 'int or string expected', key)
    return dynamic
  }
  wanted(type.kind === 'map' ? string : int, index, scope)
  if (type.kind === 'list' || type.kind === 'map') return type.of
  if (type.kind === 'string') return string
  throw mismatch(of, 'list, map or string expected', type)
}

function typeOfSlice(tree: Tree, of: Tree, length: bigint, scope: Scope): Type {
  const type = typeOf(of, scope)
  if (!SLICED.includes(type.kind)) throw mismatch(of, 'list or string expected', type)
  if (length < 0n) throw refused(tree, 'slice ends before it starts')
  return type
}

const SLICED: readonly Type['kind'][] = ['list', 'string', 'dynamic']

function typeOfComparison(tree: Tree, left: Tree, right: Tree, equality: boolean, scope: Scope): Type {
  const leftType = typeOf(left, scope)
  const rightType = typeOf(right, scope)
  const type = common(leftType, rightType)
  if (type === undefined) {
    const found = `${nameOfType(leftType)} with ${nameOfType(rightType)}`
    throw refused(
      tree,
      `type error: cannot compare ${found}${unquotedInstead([left, right], [leftType, rightType])}`,
    )
  }
  if (!isScalar(type)) throw mismatch(tree, 'values to compare expected', type)
  if (!equality && !ORDERED.includes(type.kind)) throw mismatch(tree, 'int expected', type)
  return bool
}

/** The advice about a number in quotation marks, where there is one. */
function unquotedInstead(compared: readonly Tree[], types: readonly Type[]): string {
  if (!types.includes(int) || !types.includes(string)) return ''
  const digits = compared
    .map((tree) => (tree.kind === 'literal' && typeof tree.value === 'string' ? tree.value : ''))
    .find((text) => /^-?\d{1,80}$/.test(text))
  return digits === undefined ? '' : `: write ${digits} without quotes`
}

const ORDERED: readonly Type['kind'][] = ['int', 'timestamp', 'nothing', 'dynamic']

function typeOfMember(item: Tree, of: Tree, scope: Scope): Type {
  const itemType = typeOf(item, scope)
  const listed = listType(of, scope).of
  const type = common(itemType, listed)
  if (type === undefined) {
    const compared = of.kind === 'list' ? [item, ...of.items] : [item]
    const hint = unquotedInstead(compared, [itemType, listed])
    throw mismatch(item, `${nameOfType(listed)} expected like the items`, itemType, hint)
  }
  if (!isScalar(type)) throw mismatch(item, 'a value to look for expected', type)
  return bool
}

function listType(tree: Tree, scope: Scope): Type & { readonly kind: 'list' } {
  const type = typeOf(tree, scope)
  if (type.kind === 'dynamic') return { kind: 'list', of: dynamic }
  if (type.kind !== 'list') throw mismatch(tree, 'list expected', type)
  return type
}

function mismatch(tree: Tree, expected: string, found: Type, hint = ''): Error {
  return refused(tree, `type error: ${expected}, not ${nameOfType(found)}${hint}`)
}

function refused(tree: Tree, reason: string): Error {
  return expressionInvalid({ reason: `${reason} (at ${offsets(tree.span)})` })
}
