import fc from 'fast-check'
import { caseless } from '../../base/caseless.ts'
import type { Tree } from '../tree.ts'
import { usageVocabulary } from '../meter.ts'
import {
  bool,
  dynamic,
  type Facts,
  int,
  isScalar,
  list,
  map,
  string,
  struct,
  type Type,
  type Value,
  type Vocabulary,
} from '../types.ts'
import { DAY_MS } from '../duration.ts'
import { Problem } from '../problem.ts'

const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const

const itemType = struct({ name: string, weight: int, tags: list(string) })

/** A vocabulary with one keyword of every shape, for generated expressions. */
export const sampleVocabulary: Vocabulary = {
  activity: struct({ kind: string, params: struct({ ids: list(string), amount: int, urgent: bool }) }),
  items: list(itemType),
  args: map(string),
  numbers: list(int),
  address: string,
  addresses: list(string),
  message: map(dynamic),
  ...usageVocabulary,
}

const texts = fc.constantFrom('', 'a', 'b', 'A', 'SIGN', 'é😀z')
const ints = fc.oneof(
  fc.constantFrom(0n, 1n, 2n, -1n),
  fc.bigInt({ min: -(2n ** 127n), max: 2n ** 256n - 1n }),
)
const tooLarge = fc.constantFrom(2n ** 256n, -(2n ** 127n) - 1n)
const mixedTexts = fc.oneof(texts, texts.map(caseless))

/** A value of a request, where only the request knows the types. */
const anything: fc.Arbitrary<Value> = fc.letrec<{ readonly value: Value }>((tie) => ({
  value: fc.oneof(
    { weight: 3, arbitrary: texts },
    { weight: 2, arbitrary: texts.map(caseless) },
    { weight: 3, arbitrary: fc.oneof(ints, tooLarge) },
    { weight: 2, arbitrary: fc.boolean() },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 2 }) },
    { weight: 1, arbitrary: fc.dictionary(texts, tie('value'), { maxKeys: 2 }) },
  ),
})).value

/**
 * Facts for it: keywords and fields may be absent or without a value, and ints larger than the language can compare.
 */
export const anyFacts: fc.Arbitrary<Facts> = fc.record(
  {
    activity: fc.record(
      {
        kind: texts,
        params: fc.record(
          {
            ids: fc.array(texts, { maxLength: 3 }),
            amount: fc.oneof(
              { weight: 8, arbitrary: fc.oneof(ints, tooLarge) },
              {
                weight: 1,
                arbitrary: fc.constantFrom(new Problem('failed', ''), new Problem('missing', '')),
              },
            ),
            urgent: fc.boolean(),
          },
          { requiredKeys: ['ids'] },
        ),
      },
      { requiredKeys: ['params'] },
    ),
    items: fc.array(
      fc.record(
        { name: texts, weight: ints, tags: fc.array(texts, { maxLength: 2 }) },
        { requiredKeys: ['name', 'tags'] },
      ),
      { maxLength: 3 },
    ),
    args: fc.dictionary(texts, texts, { maxKeys: 3 }),
    numbers: fc.array(fc.oneof({ weight: 9, arbitrary: ints }, { weight: 1, arbitrary: tooLarge }), {
      maxLength: 3,
    }),
    address: texts.map(caseless),
    addresses: fc.array(mixedTexts, { maxLength: 3 }),
    message: fc.dictionary(texts, anything, { maxKeys: 4 }),
    usage: fc.record({ user: texts }),
  },
  { requiredKeys: ['items', 'numbers', 'message'] },
)

/** A well-typed bool expression over the sample vocabulary. Its spans are all empty. */
export const anyExpression: fc.Arbitrary<Tree> = fc.nat(3).chain((depth) => treeOf(bool, [], depth + 1))

type Variable = { readonly name: string; readonly type: Type }

function treeOf(type: Type, variables: readonly Variable[], depth: number): fc.Arbitrary<Tree> {
  const leaves = [...literals(type), ...paths(type, variables)]
  if (depth === 0 && leaves.length > 0) return fc.oneof(...leaves)
  if (depth === 0 || type.kind === 'dynamic') return dynamics(variables, depth)
  const typed = typedTree(type, leaves, variables, depth)
  // A dynamic value fits everywhere, but a struct is reached by the names of its fields.
  const fits = isScalar(type) || (type.kind === 'list' && isScalar(type.of))
  return fits
    ? fc.oneof(
        { weight: 9, arbitrary: typed },
        { weight: 1, arbitrary: treeOf(dynamic, variables, depth - 1) },
      )
    : typed
}

function dynamics(variables: readonly Variable[], depth: number): fc.Arbitrary<Tree> {
  const key = texts.map((value) => node({ kind: 'literal', value }))
  const field = key.map((index) => node({ kind: 'index', of: name('message'), index }))
  if (depth === 0) return field
  const below = treeOf(dynamic, variables, depth - 1)
  return fc.oneof(
    { weight: 4, arbitrary: field },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          below,
          fc.oneof(
            key,
            fc.constantFrom(0n, 1n).map((value) => node({ kind: 'literal', value })),
          ),
        )
        .map(([of, index]) => node({ kind: 'index', of, index })),
    },
    { weight: 1, arbitrary: slices(below) },
  )
}

function typedTree(
  type: Type,
  leaves: fc.Arbitrary<Tree>[],
  variables: readonly Variable[],
  depth: number,
): fc.Arbitrary<Tree> {
  const below = (child: Type): fc.Arbitrary<Tree> => treeOf(child, variables, depth - 1)
  switch (type.kind) {
    case 'bool':
      return fc.oneof(...leaves, ...bools(variables, depth))
    case 'int':
      return fc.oneof(...leaves, counts(variables, depth), ...usages(variables, depth))
    case 'string':
      return fc.oneof(
        ...leaves,
        below(string).map((operand) => node({ kind: 'caseless', operand })),
        fc.tuple(below(string), below(int)).map(([of, index]) => node({ kind: 'index', of, index })),
        slices(below(string)),
        fc.tuple(below(list(string)), below(int)).map(([of, index]) => node({ kind: 'index', of, index })),
        below(string).map((index) => node({ kind: 'index', of: name('args'), index })),
      )
    case 'list':
      return fc.oneof(
        ...leaves,
        slices(fc.oneof(...leaves)),
        filters(type.of, variables, depth),
        // Never empty: `[][0]` has no type.
        fc
          .array(below(type.of), { minLength: 1, maxLength: 2 })
          .map((items) => node({ kind: 'list', items })),
      )
    default:
      return fc.oneof(...leaves)
  }
}

function bools(variables: readonly Variable[], depth: number): fc.Arbitrary<Tree>[] {
  const below = (child: Type): fc.Arbitrary<Tree> => treeOf(child, variables, depth - 1)
  const chain = fc.array(below(bool), { minLength: 2, maxLength: 3 })
  const scalar = fc.constantFrom(int, string, bool)
  return [
    fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), chain)
      .map(([kind, parts]) => node({ kind, parts })),
    below(bool).map((operand) => node({ kind: 'not', operand })),
    addressed(),
    ...(variables.length > 0 ? [] : [counted()]),
    scalar.chain((type) => {
      const operator =
        type === int ? fc.constantFrom(...COMPARISONS) : fc.constantFrom('==' as const, '!=' as const)
      return fc
        .tuple(operator, below(type), below(type))
        .map(([which, left, right]) => node({ kind: 'comparison', operator: which, left, right }))
    }),
    fc
      .constantFrom(int, string)
      .chain((type) =>
        fc
          .tuple(below(type), below(list(type)))
          .map(([item, of]) => node({ kind: 'member', item, list: of })),
      ),
    fc
      .constantFrom(int, string, itemType)
      .chain((type) =>
        fc
          .tuple(
            fc.constantFrom('any' as const, 'all' as const),
            sources(type, variables, depth),
            bodies(type, variables, depth),
          )
          .map(([kind, of, { variable, body }]) => node({ kind, of, variable, body })),
      ),
  ]
}

/** Addresses and parts of addresses, as whole expressions, because such comparisons would else be rare. */
function addressed(): fc.Arbitrary<Tree> {
  const address = name('address')
  const first = node({ kind: 'literal', value: 0n })
  const part = fc.constantFrom(
    address,
    node({ kind: 'slice', of: address, from: 0n, to: 1n }),
    node({ kind: 'index', of: address, index: first }),
    node({ kind: 'caseless', operand: address }),
  )
  const text = texts.map((value) => node({ kind: 'literal', value }))
  const lists = fc.oneof(
    fc.constant(name('addresses')),
    fc.array(text, { maxLength: 3 }).map((items) => node({ kind: 'list', items })),
  )
  return fc.oneof(
    fc
      .tuple(fc.constantFrom('==' as const, '!=' as const), part, fc.oneof(text, part))
      .map(([operator, left, right]) => node({ kind: 'comparison', operator, left, right })),
    fc.tuple(fc.oneof(text, part), lists).map(([item, of]) => node({ kind: 'member', item, list: of })),
  )
}

/** How often an address, or a user, was seen before. */
function counted(): fc.Arbitrary<Tree> {
  const user = node({ kind: 'field', of: name('usage'), name: 'user' })
  const usage = fc
    .subarray([name('address'), user], { minLength: 1 })
    .map((by) =>
      node({ kind: 'usage', what: 'count', amount: undefined, window: '24h', windowMs: DAY_MS, by }),
    )
  const most = fc.bigInt({ min: 1n, max: 3n }).map((value) => node({ kind: 'literal', value }))
  return fc
    .tuple(fc.constantFrom(...COMPARISONS), usage, most)
    .map(([operator, left, right]) => node({ kind: 'comparison', operator, left, right }))
}

function counts(variables: readonly Variable[], depth: number): fc.Arbitrary<Tree> {
  return fc
    .constantFrom(int, string, itemType)
    .chain((type) => sources(type, variables, depth))
    .map((of) => node({ kind: 'count', of }))
}

/** Nothing that depends on an item of a list, and no usage inside usage. */
function usages(variables: readonly Variable[], depth: number): fc.Arbitrary<Tree>[] {
  if (variables.length > 0 || depth < 2) return []
  const inner = (type: Type): fc.Arbitrary<Tree> => treeOf(type, NO_USAGE, 1)
  const window = fc.constantFrom('24h', '1d', '31d')
  const what = fc.oneof(fc.constant(undefined), inner(int))
  return [
    fc.tuple(what, window, fc.array(inner(string), { maxLength: 2 })).map(([amount, text, by]) => {
      const windowMs = text === '31d' ? 31 * DAY_MS : DAY_MS
      const about = { amount, window: text, windowMs, by }
      return node({ kind: 'usage', what: amount === undefined ? 'count' : 'sum', ...about })
    }),
  ]
}

/** A variable that no path leads to. */
const NO_USAGE: readonly Variable[] = [{ name: 'none', type: struct({}) }]

function filters(type: Type, variables: readonly Variable[], depth: number): fc.Arbitrary<Tree> {
  return fc
    .tuple(sources(type, variables, depth), bodies(type, variables, depth))
    .map(([of, { variable, body }]) => node({ kind: 'filter', of, variable, body }))
}

/** Lists to walk. A list of structs is only the keyword itself, or filtered from it. */
function sources(type: Type, variables: readonly Variable[], depth: number): fc.Arbitrary<Tree> {
  if (type.kind !== 'struct') return treeOf(list(type), variables, depth - 1)
  return depth <= 1
    ? fc.constant(name('items'))
    : fc.oneof(fc.constant(name('items')), filters(type, variables, depth - 2))
}

function bodies(
  type: Type,
  variables: readonly Variable[],
  depth: number,
): fc.Arbitrary<{ readonly variable: string; readonly body: Tree }> {
  // Some variables hide another, and one a keyword that nothing here uses.
  return fc.constantFrom('x', 'y').chain((variable) => {
    const visible = [...variables.filter((other) => other.name !== variable), { name: variable, type }]
    return treeOf(bool, visible, Math.max(0, depth - 1)).map((body) => ({ variable, body }))
  })
}

function slices(of: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> {
  return fc
    .tuple(of, fc.bigInt({ min: 0n, max: 2n }), fc.bigInt({ min: 0n, max: 2n }))
    .map(([tree, from, length]) => node({ kind: 'slice', of: tree, from, to: from + length }))
}

function literals(type: Type): fc.Arbitrary<Tree>[] {
  const literal = (value: bigint | boolean | string): Tree => node({ kind: 'literal', value })
  if (type.kind === 'bool') return [fc.boolean().map(literal)]
  if (type.kind === 'int') return [ints.map(literal)]
  return type.kind === 'string' ? [texts.map(literal)] : []
}

function paths(type: Type, variables: readonly Variable[]): fc.Arbitrary<Tree>[] {
  const start = [
    ...Object.entries(sampleVocabulary).map(([keyword, of]) => ({ name: keyword, type: of })),
    ...variables,
  ]
  const found = start.flatMap((from) => reached(name(from.name), from.type, type))
  return found.length === 0 ? [] : [fc.constantFrom(...found)]
}

function reached(tree: Tree, from: Type, wanted: Type): Tree[] {
  if (from.kind === 'struct') {
    return Object.entries(from.fields).flatMap(([field, of]) =>
      reached(node({ kind: 'field', of: tree, name: field }), of, wanted),
    )
  }
  return JSON.stringify(from) === JSON.stringify(wanted) ? [tree] : []
}

function name(text: string): Tree {
  return node({ kind: 'name', name: text })
}

type Spanless<T> = T extends unknown ? Omit<T, 'span'> : never

function node(tree: Spanless<Tree>): Tree {
  return { ...tree, span: { start: 0, end: 0 } }
}
