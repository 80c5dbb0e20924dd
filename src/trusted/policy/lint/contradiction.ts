import { print } from '../print.ts'
import { sameButForCase } from '../text.ts'
import type { Tree } from '../tree.ts'
import { PARTS, placeOf, type Rule } from './finding.ts'
import { walk } from './walk.ts'

/** Parts of one `&&` that no value makes true together: `x == 'a' && x == 'b'`, `x < 1 && x > 2`. */
export const contradiction: Rule = (read) =>
  PARTS.flatMap((part) => {
    const tree = read.trees[part]
    if (tree === undefined) return []
    return walk(tree).flatMap(({ tree: node }) => {
      const subject = node.kind === 'and' ? impossible(node.parts) : undefined
      if (subject === undefined) return []
      const why = `No \`${subject}\` can be all of this at once, and so it is never true.`
      return [{ severity: 'warning', what: 'contradiction', why, place: placeOf(read, part, node.span) }]
    })
  })

type Scalar = boolean | bigint | string
type Demand = {
  /** It is one of these; undefined when any. */
  readonly among?: readonly Scalar[]
  readonly not?: Scalar
  readonly min?: bigint
  readonly max?: bigint
}

/** The text of the parts that nothing can satisfy. */
function impossible(parts: readonly Tree[]): string | undefined {
  const demands = new Map<string, Demand[]>()
  for (const part of parts) {
    const found = demandOf(part)
    if (found === undefined) continue
    const subject = print(found.subject)
    demands.set(subject, [...(demands.get(subject) ?? []), found.demand])
  }
  return [...demands].find(([, of]) => !isSatisfiable(of))?.[0]
}

function demandOf(tree: Tree): { readonly subject: Tree; readonly demand: Demand } | undefined {
  if (tree.kind === 'member' && tree.list.kind === 'list') {
    const items = tree.list.items.map(constant)
    const among = items.filter((item) => item !== undefined)
    return among.length === items.length ? { subject: tree.item, demand: { among } } : undefined
  }
  if (tree.kind !== 'comparison') return undefined
  const [left, right] = [constant(tree.left), constant(tree.right)]
  if (right !== undefined && left === undefined) return demanded(tree.left, tree.operator, right)
  return left !== undefined && right === undefined
    ? demanded(tree.right, MIRRORED[tree.operator] ?? tree.operator, left)
    : undefined
}

const MIRRORED: { readonly [operator: string]: string } = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' }

function constant(tree: Tree): Scalar | undefined {
  if (tree.kind === 'timestamp') return tree.at
  return tree.kind === 'literal' ? tree.value : undefined
}

function demanded(subject: Tree, operator: string, value: Scalar) {
  if (operator === '==') return { subject, demand: { among: [value] } }
  if (operator === '!=') return { subject, demand: { not: value } }
  if (typeof value !== 'bigint') return undefined
  switch (operator) {
    case '<':
      return { subject, demand: { max: value - 1n } }
    case '<=':
      return { subject, demand: { max: value } }
    case '>':
      return { subject, demand: { min: value + 1n } }
    default:
      return { subject, demand: { min: value } }
  }
}

function isSatisfiable(demands: readonly Demand[]): boolean {
  const [first, ...others] = demands.flatMap(({ among }) => (among === undefined ? [] : [among]))
  if (first === undefined) {
    const min = greatest(demands.flatMap((demand) => demand.min ?? []))
    return min === undefined || isWithin(min, demands)
  }
  return first.some(
    (value) =>
      others.every((among) => among.some((other) => mayBeSame(value, other))) &&
      demands.every(({ not }) => not !== value) &&
      isWithin(value, demands),
  )
}

/** Whether the case of letters counts is for the request to say. */
function mayBeSame(a: Scalar, b: Scalar): boolean {
  return a === b || (typeof a === 'string' && typeof b === 'string' && sameButForCase(a, b))
}

/** Only a number is above or below another. */
function isWithin(value: Scalar, demands: readonly Demand[]): boolean {
  return demands.every(
    ({ min, max }) =>
      (min === undefined || (typeof value === 'bigint' && value >= min)) &&
      (max === undefined || (typeof value === 'bigint' && value <= max)),
  )
}

function greatest(values: readonly bigint[]): bigint | undefined {
  return values.reduce<bigint | undefined>(
    (most, value) => (most === undefined || value > most ? value : most),
    undefined,
  )
}
