import type { Schedule } from './schedule.ts'
import type { Span } from './tokens.ts'

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>='

/**
 * An expression as written, without its parentheses. A chain of `&&` (or of `||`) is one node with all its parts,
 * `list.contains(x)` is the same node as `x in list`, and `.count` the same as `.count()`.
 */
export type Tree = { readonly span: Span } & (
  | { readonly kind: 'literal'; readonly value: boolean | bigint | string }
  | { readonly kind: 'list'; readonly items: readonly Tree[] }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'field'; readonly of: Tree; readonly name: string }
  | { readonly kind: 'index'; readonly of: Tree; readonly index: Tree }
  | { readonly kind: 'slice'; readonly of: Tree; readonly from: bigint; readonly to: bigint }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Tree[] }
  | { readonly kind: 'not'; readonly operand: Tree }
  | {
      readonly kind: 'comparison'
      readonly operator: ComparisonOperator
      readonly left: Tree
      readonly right: Tree
    }
  | { readonly kind: 'member'; readonly item: Tree; readonly list: Tree }
  | {
      readonly kind: 'any' | 'all' | 'filter'
      readonly of: Tree
      readonly variable: string
      readonly body: Tree
    }
  | { readonly kind: 'count'; readonly of: Tree }
  | { readonly kind: 'caseless'; readonly operand: Tree }
  | {
      readonly kind: 'timestamp'
      readonly text: string
      /** Milliseconds since the Unix epoch. */
      readonly at: bigint
    }
  | {
      readonly kind: 'cronSpan'
      /** As written: cron expression, length and zone. */
      readonly texts: readonly [string, string, string]
      readonly schedule: Schedule
      readonly lengthMs: number
      readonly zone: string
    }
  | {
      readonly kind: 'usage'
      readonly what: 'sum' | 'count'
      /** The amount that is summed; undefined when activities are counted. */
      readonly amount: Tree | undefined
      /** As written. */
      readonly window: string
      readonly windowMs: number
      /** The strings by which it is counted. */
      readonly by: readonly Tree[]
    }
)

/** The trees directly below one, in the order they are written (of `x in list` and `list.contains(x)`: x first). */
export function children(tree: Tree): readonly Tree[] {
  switch (tree.kind) {
    case 'literal':
    case 'name':
    case 'timestamp':
    case 'cronSpan':
      return []
    case 'list':
      return tree.items
    case 'field':
    case 'slice':
    case 'count':
      return [tree.of]
    case 'index':
      return [tree.of, tree.index]
    case 'and':
    case 'or':
      return tree.parts
    case 'not':
    case 'caseless':
      return [tree.operand]
    case 'comparison':
      return [tree.left, tree.right]
    case 'member':
      return [tree.item, tree.list]
    case 'any':
    case 'all':
    case 'filter':
      return [tree.of, tree.body]
    case 'usage':
      return tree.amount === undefined ? tree.by : [tree.amount, ...tree.by]
  }
}

/** How many nodes a tree has, itself included. */
export function sizeOf(tree: Tree): number {
  return children(tree).reduce((size, child) => size + sizeOf(child), 1)
}
