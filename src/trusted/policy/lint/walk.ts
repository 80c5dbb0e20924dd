import { children, type Tree } from '../tree.ts'

/** A part of an expression, and the names that are variables where it stands. */
type Visited = { readonly tree: Tree; readonly hidden: readonly string[] }

/** An expression and all its parts, outermost first. */
export function walk(tree: Tree, hidden: readonly string[] = []): readonly Visited[] {
  const isList = tree.kind === 'any' || tree.kind === 'all' || tree.kind === 'filter'
  const below = children(tree).flatMap((child) =>
    walk(child, isList && child === tree.body ? [...hidden, tree.variable] : hidden),
  )
  return [{ tree, hidden }, ...below]
}

/** `['wallet', 'id']` for `wallet.id`; undefined for a part that is neither a keyword nor a field of one. */
export function pathOf({ tree, hidden }: Visited): readonly string[] | undefined {
  if (tree.kind === 'name') return hidden.includes(tree.name) ? undefined : [tree.name]
  if (tree.kind !== 'field') return undefined
  const of = pathOf({ tree: tree.of, hidden })
  return of === undefined ? undefined : [...of, tree.name]
}

/**
 * The two sides of a comparison: of `x == 'a'` and of `x in ['a', 'b']`, x and the texts. Either side may be the text.
 * No text is compared for order, so that `x < 1` has none.
 */
export function comparedTexts({ tree, hidden }: Visited): readonly ComparedTexts[] {
  if (tree.kind === 'member') {
    const items = tree.list.kind === 'list' ? tree.list.items : []
    return [{ subject: { tree: tree.item, hidden }, texts: items.flatMap(textsOf) }]
  }
  if (tree.kind !== 'comparison') return []
  const { left, right } = tree
  return [
    { subject: { tree: left, hidden }, texts: textsOf(right) },
    { subject: { tree: right, hidden }, texts: textsOf(left) },
  ]
}

export type ComparedTexts = { readonly subject: Visited; readonly texts: readonly TextTree[] }
type TextTree = Tree & { readonly kind: 'literal'; readonly value: string }

function textsOf(tree: Tree): readonly TextTree[] {
  if (tree.kind !== 'literal' || typeof tree.value !== 'string') return []
  const { kind, span, value } = tree
  return [{ kind, span, value }]
}
