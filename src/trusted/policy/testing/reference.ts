import { Caseless } from '../../base/caseless.ts'
import type { Tree } from '../tree.ts'
import type { Facts, Fields, Value } from '../types.ts'
import { Problem } from '../problem.ts'
import { referenceCronSpan } from './reference-time.ts'

/**
 * The meaning of an expression, written down as plainly as possible and without looking at the compiler: everything is
 * evaluated, problems are collected on the side, and at the end a failed one counts before a missing one.
 *
 * @param past  what was carried out before, within every window
 */
export function referenceEvaluate(
  tree: Tree,
  facts: Facts,
  past: readonly Facts[] = [],
): boolean | 'missing' | 'failed' {
  const problems = new Set<'missing' | 'failed'>()
  const value = meaning(tree, new Map(), { facts, past }, problems)
  if (problems.has('failed')) return 'failed'
  if (problems.has('missing')) return 'missing'
  return typeof value === 'boolean' ? value : 'failed'
}

type Variables = ReadonlyMap<string, Value>

type World = { readonly facts: Facts; readonly past: readonly Facts[] }

function meaning(tree: Tree, variables: Variables, world: World, problems: Set<string>): Value | undefined {
  const { facts, past } = world
  const of = (child: Tree): Value | undefined => meaning(child, variables, world, problems)
  const problem = (kind: 'missing' | 'failed'): undefined => {
    problems.add(kind)
    return undefined
  }
  const found = (value: Value | Problem | undefined, otherwise: 'missing' | 'failed'): Value | undefined =>
    value instanceof Problem ? problem(value.kind) : (value ?? problem(otherwise))
  switch (tree.kind) {
    case 'literal':
      return tree.value
    case 'list': {
      const items = tree.items.map(of)
      const known = items.flatMap((item) => (item === undefined ? [] : [item]))
      return known.length === items.length ? known : undefined
    }
    case 'name':
      if (variables.has(tree.name)) return variables.get(tree.name)
      return found(new Map(Object.entries(facts)).get(tree.name), 'missing')
    case 'field': {
      const struct = of(tree.of)
      if (struct === undefined) return undefined
      if (!isStruct(struct)) return problem('failed')
      return found(
        new Map(Object.entries(struct)).get(tree.name),
        rootOf(tree.of, variables) ? 'missing' : 'failed',
      )
    }
    case 'index': {
      const value = of(tree.of)
      const key = of(tree.index)
      if (value === undefined || key === undefined) return undefined
      if (isStruct(value)) {
        const name = isText(key) ? String(key) : undefined
        return found(
          Object.entries(value)
            .filter(([other]) => other === name)
            .map(([, under]) => under)[0],
          'failed',
        )
      }
      const item = itemsOf(value)?.find((_, at) => BigInt(at) === key)
      return found(item, 'failed')
    }
    case 'slice': {
      const value = of(tree.of)
      if (value === undefined) return undefined
      const items = itemsOf(value)
      if (items === undefined || tree.to > BigInt(items.length)) return problem('failed')
      const part = items.filter((_, at) => BigInt(at) >= tree.from && BigInt(at) < tree.to)
      if (Array.isArray(value)) return part
      return value instanceof Caseless ? new Caseless(part.map(String).join('')) : part.join('')
    }
    case 'and':
    case 'or': {
      const values = tree.parts.map(of)
      if (values.some((value) => value !== undefined && typeof value !== 'boolean')) return problem('failed')
      if (values.includes(undefined)) return undefined
      return tree.kind === 'and' ? !values.includes(false) : values.includes(true)
    }
    case 'not': {
      const value = of(tree.operand)
      if (value === undefined) return undefined
      return typeof value === 'boolean' ? value === false : problem('failed')
    }
    case 'comparison': {
      const left = of(tree.left)
      const right = of(tree.right)
      if (left === undefined || right === undefined) return undefined
      if (!comparable(left, right)) return problem('failed')
      if (tree.operator === '==') return equal(left, right)
      if (tree.operator === '!=') return !equal(left, right)
      if (typeof left !== 'bigint' || typeof right !== 'bigint') return problem('failed')
      switch (tree.operator) {
        case '<':
          return left < right
        case '<=':
          return left <= right
        case '>':
          return left > right
        case '>=':
          return left >= right
      }
    }
    case 'member': {
      const item = of(tree.item)
      const list = of(tree.list)
      if (item === undefined || list === undefined) return undefined
      if (!Array.isArray(list)) return problem('failed')
      if (!list.every((other: Value) => comparable(item, other))) return problem('failed')
      return list.some((other: Value) => equal(item, other))
    }
    case 'any':
    case 'all':
    case 'filter': {
      const list = of(tree.of)
      if (list === undefined) return undefined
      if (!Array.isArray(list)) return problem('failed')
      const verdicts = list.map((item: Value) =>
        meaning(tree.body, new Map(variables).set(tree.variable, item), world, problems),
      )
      if (verdicts.some((verdict) => verdict !== undefined && typeof verdict !== 'boolean'))
        return problem('failed')
      if (verdicts.includes(undefined)) return undefined
      if (tree.kind === 'any') return verdicts.includes(true)
      if (tree.kind === 'all') return !verdicts.includes(false)
      return list.filter((_, at) => verdicts[at] === true)
    }
    case 'count': {
      const list = of(tree.of)
      if (list === undefined) return undefined
      return Array.isArray(list) ? BigInt(list.length) : problem('failed')
    }
    case 'caseless': {
      const text = of(tree.operand)
      if (text === undefined) return undefined
      if (text instanceof Caseless) return new Caseless(text.text.toLowerCase())
      return typeof text === 'string' ? text.toLowerCase() : problem('failed')
    }
    case 'timestamp':
      return BigInt(Date.parse(tree.text.toUpperCase()))
    case 'cronSpan': {
      const time = new Map(Object.entries(facts)).get('time')
      const now = time === undefined || time instanceof Problem || !isStruct(time) ? undefined : time['now']
      return typeof now === 'bigint' ? referenceCronSpan(tree, Number(now)) : problem('failed')
    }
    case 'usage': {
      const present = useOf(tree, facts, problems)
      if (present === undefined) return undefined
      const earlier = past.flatMap((entry) => useOf(tree, entry, new Set()) ?? [])
      return [present, ...earlier]
        .filter(({ by }) => by.every((text, at) => text === present.by[at]))
        .reduce((sum, { amount }) => sum + amount, 0n)
    }
  }
}

type Use = { readonly amount: bigint; readonly by: readonly string[] }

/** The use of one request, and the strings by which it is counted. */
function useOf(
  tree: Tree & { readonly kind: 'usage' },
  facts: Facts,
  problems: Set<string>,
): Use | undefined {
  const world = { facts, past: [] }
  const own = new Set<string>()
  const amount = tree.amount === undefined ? 1n : meaning(tree.amount, new Map(), world, own)
  const by = tree.by.map((part) => meaning(part, new Map(), world, own))
  const texts = by.flatMap((text) => (text !== undefined && isText(text) ? [countedText(text)] : []))
  if (amount !== undefined && (typeof amount !== 'bigint' || amount < 0n || tooLarge(amount)))
    own.add('failed')
  if (by.some((text) => text !== undefined && !isText(text))) own.add('failed')
  for (const problem of own) problems.add(problem)
  return own.size === 0 && typeof amount === 'bigint' ? { amount, by: texts } : undefined
}

function countedText(text: string | Caseless): string {
  return typeof text === 'string' ? text : text.text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function rootOf(tree: Tree, variables: Variables): boolean {
  if (tree.kind === 'field') return rootOf(tree.of, variables)
  return tree.kind === 'name' && !variables.has(tree.name)
}

function isText(value: Value): value is string | Caseless {
  return typeof value === 'string' || value instanceof Caseless
}

function isStruct(value: Value): value is Fields {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Caseless)
}

/** The items of a list, or the characters of a text. */
function itemsOf(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return Array.from(value)
  return value instanceof Caseless ? Array.from(value.text, (text) => new Caseless(text)) : undefined
}

function comparable(left: Value, right: Value): boolean {
  if (typeof left === 'bigint' && typeof right === 'bigint') return !tooLarge(left) && !tooLarge(right)
  if (isText(left) && isText(right)) return true
  return typeof left === 'boolean' && typeof right === 'boolean'
}

function equal(left: Value, right: Value): boolean {
  if (!(left instanceof Caseless) && !(right instanceof Caseless)) return left === right
  const upper = (text: string): string => text.replace(/[a-z]/g, (letter) => letter.toUpperCase())
  return upper(String(left)) === upper(String(right))
}

function tooLarge(value: bigint): boolean {
  return value < 0n ? BigInt.asIntN(128, value) !== value : BigInt.asUintN(256, value) !== value
}
