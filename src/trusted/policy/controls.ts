import { excerpt, expressionInvalid, offsets } from './failures.ts'
import { USAGES_MAX } from './limits.ts'
import { parse } from './parse.ts'
import type { Span } from './tokens.ts'
import { children, type Tree } from './tree.ts'

/**
 * The text that `controls.<identifier>` means in a condition: an expression over `usage`. Undefined where no control
 * has the identifier.
 */
export type Controls = (identifier: string) => string | undefined

export const noControls: Controls = () => undefined

/** For conditions that are read before the controls are known: each control is some limit on usage. */
export const anyControl: Controls = () => "usage.count('1h') <= 1"

/**
 * The tree of a condition, with each control replaced by the tree of its text. So a control is counted, limited and
 * explained like a condition written with `usage`.
 *
 * @throws Failure `expressionInvalid`, for a control that is not there, and for more of them than may be asked in one
 *         expression
 */
export function parseWithControls(text: string, controls: Controls): Tree {
  const tree = parse(text)
  // Most conditions name none, and a walk through a long one costs as much as reading it.
  if (!text.includes('controls')) return tree
  const read = replaced(tree, controls)
  if (read !== tree && usagesIn(read) > USAGES_MAX)
    throw refused(tree.span, `usage more than ${USAGES_MAX} times, controls among it`)
  return read
}

/** The identifiers of the controls that a condition names. */
export function controlsIn(tree: Tree): readonly string[] {
  if (isHidden(tree)) return []
  const own = identifierOf(tree)
  return own === undefined ? children(tree).flatMap(controlsIn) : [own]
}

function replaced(tree: Tree, controls: Controls): Tree {
  const identifier = identifierOf(tree)
  if (identifier !== undefined) {
    const text = controls(identifier)
    if (text === undefined) throw refused(tree.span, `control does not exist: ${excerpt(identifier)}`)
    return at(parse(text), tree.span)
  }
  if (isHidden(tree)) return tree
  return mapped(tree, (child) => replaced(child, controls))
}

/** A variable of a list function may be called `controls` too: then it is meant, and a control is not. */
function isHidden(tree: Tree): boolean {
  return 'variable' in tree && tree.variable === 'controls'
}

function identifierOf(tree: Tree): string | undefined {
  return tree.kind === 'field' && tree.of.kind === 'name' && tree.of.name === 'controls'
    ? tree.name
    : undefined
}

/** The tree with every part at this place in the source. */
function at(tree: Tree, span: Span): Tree {
  return { ...mapped(tree, (child) => at(child, span)), span }
}

/** The same node over other children; the node itself where none is another. */
function mapped(tree: Tree, change: (child: Tree) => Tree): Tree {
  const own = new Set<unknown>(children(tree))
  let isChanged = false
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed)
    if (!own.has(value)) return value
    // `children` gives trees.
    const after = change(value as Tree)
    isChanged ||= after !== value
    return after
  }
  const fields = Object.entries(tree).map(([name, value]) => [name, changed(value)])
  // Every child was replaced by a tree, and nothing else was touched.
  return isChanged ? (Object.fromEntries(fields) as Tree) : tree
}

function usagesIn(tree: Tree): number {
  const own = tree.kind === 'usage' ? 1 : 0
  return children(tree).reduce((sum, child) => sum + usagesIn(child), own)
}

function refused(span: Span, reason: string): Error {
  return expressionInvalid({ reason: `${reason} (at ${offsets(span)})` })
}
