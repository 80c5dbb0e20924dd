import type { Tree } from '../tree.ts'
import type { Facts, Value } from '../types.ts'

/**
 * What an expression means, written down as plainly as possible and without looking at the compiler: everything is
 * evaluated, problems are collected on the side, and at the end a failed one counts before a missing one.
 */
export function referenceEvaluate(tree: Tree, facts: Facts): Value | 'missing' | 'failed' {
  const problems = new Set<'missing' | 'failed'>()
  const value = meaning(tree, new Map(), facts, problems)
  if (problems.has('failed')) return 'failed'
  if (problems.has('missing')) return 'missing'
  return value === undefined ? 'failed' : value
}

type Variables = ReadonlyMap<string, Value>

function meaning(tree: Tree, variables: Variables, facts: Facts, problems: Set<string>): Value | undefined {
  const of = (child: Tree): Value | undefined => meaning(child, variables, facts, problems)
  const problem = (kind: 'missing' | 'failed'): undefined => {
    problems.add(kind)
    return undefined
  }
  switch (tree.kind) {
    case 'literal':
      return tree.value
    case 'list': {
      const items = tree.items.map(of)
      const known = items.flatMap((item) => (item === undefined ? [] : [item]))
      return known.length === items.length ? known : undefined
    }
    case 'name': {
      if (variables.has(tree.name)) return variables.get(tree.name)
      const fact = new Map(Object.entries(facts)).get(tree.name)
      return fact ?? problem('missing')
    }
    case 'field': {
      const struct = of(tree.of)
      if (struct === undefined) return undefined
      if (typeof struct !== 'object' || Array.isArray(struct)) return problem('failed')
      const field = new Map(Object.entries(struct)).get(tree.name)
      return field ?? problem(rootOf(tree.of, variables) ? 'missing' : 'failed')
    }
    case 'index': {
      const value = of(tree.of)
      const key = of(tree.index)
      if (value === undefined || key === undefined) return undefined
      if (typeof key === 'string') return new Map(Object.entries(value)).get(key) ?? problem('failed')
      const items = typeof value === 'string' ? Array.from(value) : value
      if (!Array.isArray(items)) return problem('failed')
      const found = items.find((_, at) => BigInt(at) === key)
      return found === undefined ? problem('failed') : found
    }
    case 'slice': {
      const value = of(tree.of)
      if (value === undefined) return undefined
      const items = typeof value === 'string' ? Array.from(value) : value
      if (!Array.isArray(items)) return problem('failed')
      if (tree.to > BigInt(items.length)) return problem('failed')
      const part = items.filter((_, at) => BigInt(at) >= tree.from && BigInt(at) < tree.to)
      return typeof value === 'string' ? part.join('') : part
    }
    case 'and':
    case 'or': {
      const values = tree.parts.map(of)
      if (values.includes(undefined)) return undefined
      return tree.kind === 'and' ? !values.includes(false) : values.includes(true)
    }
    case 'not': {
      const value = of(tree.operand)
      return value === undefined ? undefined : value === false
    }
    case 'comparison': {
      const left = of(tree.left)
      const right = of(tree.right)
      if (left === undefined || right === undefined) return undefined
      if (tooLarge(left) || tooLarge(right)) return problem('failed')
      switch (tree.operator) {
        case '==':
          return left === right
        case '!=':
          return left !== right
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
      if (item === undefined || !Array.isArray(list)) return undefined
      if (list.length > 0 && (tooLarge(item) || list.some(tooLarge))) return problem('failed')
      return list.some((other) => other === item)
    }
    case 'any':
    case 'all':
    case 'filter': {
      const list = of(tree.of)
      if (!Array.isArray(list)) return undefined
      const verdicts = list.map((item: Value) =>
        meaning(tree.body, new Map(variables).set(tree.variable, item), facts, problems),
      )
      if (verdicts.includes(undefined)) return undefined
      if (tree.kind === 'any') return verdicts.includes(true)
      if (tree.kind === 'all') return !verdicts.includes(false)
      return list.filter((_, at) => verdicts[at] === true)
    }
    case 'count': {
      const list = of(tree.of)
      return Array.isArray(list) ? BigInt(list.length) : undefined
    }
    case 'caseless': {
      const text = of(tree.operand)
      return typeof text === 'string' ? text.toLowerCase() : undefined
    }
  }
}

function rootOf(tree: Tree, variables: Variables): boolean {
  if (tree.kind === 'field') return rootOf(tree.of, variables)
  return tree.kind === 'name' && !variables.has(tree.name)
}

function tooLarge(value: Value): boolean {
  return typeof value === 'bigint' && BigInt.asIntN(128, value) !== value
}
