import { compare } from '../compare.ts'
import { children, type Tree } from '../tree.ts'
import type { AbstractValue, AbstractFacts } from './abstract-request.ts'

/**
 * The possible values of an expression on an abstract request. They may be too many, and never too few: a value that is
 * left out cannot occur (docs/policy-tools.md). `value` is undefined where there certainly is none.
 */
export type AbstractResult = { readonly mayLack: boolean; readonly value: PossibleValues | undefined }

type Scalar = boolean | bigint | string

type PossibleValues =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'oneOf'; readonly values: readonly Scalar[] }
  | { readonly kind: 'items'; readonly items: readonly PossibleValues[] }
  | { readonly kind: 'fields'; readonly fields: AbstractFacts }

/** Nothing is skipped when an expression is evaluated, and so it has no value here as soon as a part has none. */
export function evaluateAbstractly(tree: Tree, facts: AbstractFacts): AbstractResult {
  return evaluateIn(tree, { facts, variables: [] })
}

export function canBe(wanted: boolean, { value }: AbstractResult): boolean {
  return value !== undefined && (value.kind !== 'oneOf' || value.values.includes(wanted))
}

/** Whether the expression certainly has this value. Only running out of steps can still prevent it. */
export function isCertainly(wanted: boolean, outlook: AbstractResult): boolean {
  return !outlook.mayLack && canBe(wanted, outlook) && !canBe(!wanted, outlook)
}

type Scope = { readonly facts: AbstractFacts; readonly variables: readonly string[] }

function evaluateIn(tree: Tree, scope: Scope): AbstractResult {
  switch (tree.kind) {
    case 'literal':
      return certain({ kind: 'oneOf', values: [tree.value] })
    case 'timestamp':
      return certain({ kind: 'oneOf', values: [tree.at] })
    case 'name':
      // An item of a list is some value.
      if (scope.variables.includes(tree.name)) return certain(UNKNOWN)
      return ofAbstractValue(Object.hasOwn(scope.facts, tree.name) ? scope.facts[tree.name] : undefined)
    case 'field':
      return then(evaluateIn(tree.of, scope), (of) => ofField(of, tree.name))
    case 'list':
      return all(tree.items, scope, (items) => certain({ kind: 'items', items }))
    case 'and':
    case 'or': {
      const { kind } = tree
      return all(tree.parts, scope, (parts) => certain(ofChain(kind === 'and', parts)))
    }
    case 'not':
      return then(evaluateIn(tree.operand, scope), (value) => certain(bools((wanted) => may(!wanted, value))))
    case 'comparison':
      return all([tree.left, tree.right], scope, ([left = UNKNOWN, right = UNKNOWN]) =>
        among(left, right, (a, b) => compare(tree.operator, a, b)),
      )
    case 'member':
      return all([tree.item, tree.list], scope, ([item = UNKNOWN, list = UNKNOWN]) => ofMember(item, list))
    case 'any':
    case 'all':
      return ofQuantifier(tree, scope)
    case 'filter':
    case 'index':
    case 'slice':
    case 'count':
    case 'cronSpan':
    case 'usage':
      return ofOthers(tree, scope)
    case 'caseless':
      return then(evaluateIn(tree.operand, scope), (value) =>
        value.kind === 'oneOf'
          ? certain({ kind: 'oneOf', values: value.values.map(lower) })
          : { mayLack: true, value },
      )
  }
}

const UNKNOWN: PossibleValues = { kind: 'unknown' }
const NONE: AbstractResult = { mayLack: true, value: undefined }

function certain(value: PossibleValues): AbstractResult {
  return { mayLack: false, value }
}

function then(
  { mayLack, value }: AbstractResult,
  make: (value: PossibleValues) => AbstractResult,
): AbstractResult {
  if (value === undefined) return NONE
  const made = make(value)
  return { mayLack: mayLack || made.mayLack, value: made.value }
}

function all(
  trees: readonly Tree[],
  scope: Scope,
  make: (values: readonly PossibleValues[]) => AbstractResult,
): AbstractResult {
  const values: PossibleValues[] = []
  let mayLack = false
  for (const tree of trees) {
    const abstractResult = evaluateIn(tree, scope)
    if (abstractResult.value === undefined) return NONE
    values.push(abstractResult.value)
    mayLack ||= abstractResult.mayLack
  }
  return then({ mayLack, value: UNKNOWN }, () => make(values))
}

function ofAbstractValue(abstractValue: AbstractValue | undefined): AbstractResult {
  if (abstractValue === undefined) return NONE
  return abstractValue.kind === 'anything' ? { mayLack: true, value: UNKNOWN } : certain(abstractValue)
}

function ofField(of: PossibleValues, name: string): AbstractResult {
  if (of.kind === 'unknown') return { mayLack: true, value: UNKNOWN }
  if (of.kind !== 'fields') return NONE
  return ofAbstractValue(Object.hasOwn(of.fields, name) ? of.fields[name] : undefined)
}

/** Whether a bool may be this one. */
function may(wanted: boolean, value: PossibleValues): boolean {
  return canBe(wanted, certain(value))
}

function bools(isPossible: (value: boolean) => boolean): PossibleValues {
  return { kind: 'oneOf', values: [true, false].filter(isPossible) }
}

function ofChain(isAnd: boolean, parts: readonly PossibleValues[]): PossibleValues {
  return bools((wanted) =>
    wanted === isAnd ? parts.every((part) => may(wanted, part)) : parts.some((part) => may(wanted, part)),
  )
}

/** Every pair of values is compared; values that cannot be compared have no result. */
function among(
  left: PossibleValues,
  right: PossibleValues,
  test: (a: Scalar, b: Scalar) => boolean | undefined,
): AbstractResult {
  if (left.kind !== 'oneOf' || right.kind !== 'oneOf') return { mayLack: true, value: bools(() => true) }
  const results = left.values.flatMap((a) => right.values.map((b) => test(a, b)))
  if (results.every((result) => result === undefined)) return NONE
  return { mayLack: results.includes(undefined), value: bools((wanted) => results.includes(wanted)) }
}

function ofMember(item: PossibleValues, list: PossibleValues): AbstractResult {
  if (list.kind !== 'items') return { mayLack: true, value: bools(() => true) }
  const each = list.items.map((possibleValues) => among(item, possibleValues, (a, b) => compare('==', a, b)))
  return {
    mayLack: each.some(({ mayLack }) => mayLack),
    value: ofChain(
      false,
      each.map(({ value }) => value ?? UNKNOWN),
    ),
  }
}

/** The list may be empty, and its items may be anything. */
function ofQuantifier(
  tree: Tree & { readonly kind: 'any' | 'all' | 'filter' },
  scope: Scope,
): AbstractResult {
  const isAny = tree.kind === 'any'
  return then(evaluateIn(tree.of, scope), () => {
    const body = evaluateIn(tree.body, { ...scope, variables: [...scope.variables, tree.variable] })
    return {
      mayLack: true,
      value: bools((wanted) => wanted !== isAny || canBe(wanted, body)),
    }
  })
}

/** For the other kinds of trees: only whether they can have a value at all. The body of a filter need not run. */
function ofOthers(tree: Tree, scope: Scope): AbstractResult {
  const parts = tree.kind === 'filter' ? [tree.of] : children(tree)
  return all(parts, scope, () => ({ mayLack: true, value: UNKNOWN }))
}

function lower(value: Scalar): Scalar {
  return typeof value === 'string' ? value.toLowerCase() : value
}
