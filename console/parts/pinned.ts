import { parse } from '../../src/trusted/policy/parse.ts'
import { print } from '../../src/trusted/policy/print.ts'
import type { Tree } from '../../src/trusted/policy/tree.ts'

/**
 * The values of which an expression has one wherever a condition holds, each as text; by the text of the expression.
 */
export type Pinned = ReadonlyMap<string, readonly string[]>

/**
 * What a condition leaves no choice about: `wallet.id == 'w' && (…)` holds for that wallet alone. Only what stands
 * beside everything else counts, so that an expression without an entry may have any value.
 *
 * @throws Failure  where the text cannot be read
 */
export function pinnedIn(condition: string): Pinned {
  return condition === '' ? new Map() : pinnedBy(parse(condition))
}

export function pinnedBy(tree: Tree): Pinned {
  const parts = tree.kind === 'and' ? tree.parts : [tree]
  return new Map(parts.flatMap(pinIn))
}

function pinIn(part: Tree): readonly (readonly [string, readonly string[]])[] {
  if (part.kind === 'comparison' && part.operator === '==')
    return [pin(part.left, [part.right]), pin(part.right, [part.left])].flat()
  return part.kind === 'member' && part.list.kind === 'list' ? pin(part.item, part.list.items) : []
}

function pin(expression: Tree, values: readonly Tree[]): readonly (readonly [string, readonly string[]])[] {
  const texts = values.map((value) => (value.kind === 'literal' ? String(value.value) : undefined))
  if (expression.kind === 'literal' || texts.includes(undefined)) return []
  return [[print(expression), texts.filter((text) => text !== undefined)]]
}
