import { excerpt, expressionInvalid, offsets } from './failures.ts'
import { parse } from './parse.ts'
import { children, type Tree } from './tree.ts'
import { isZone } from './zone.ts'

/**
 * Refuses an expression that names an unknown time zone. It is apart from the other checks, because it is slow and only new
 * expressions need it.
 *
 * @throws Failure `expressionInvalid`, whose message names the place
 */
export function checkZones(text: string): void {
  const checked = new Set<string>()
  const visit = (tree: Tree): void => {
    if (tree.kind === 'cronSpan' && !checked.has(tree.zone)) {
      if (!isZone(tree.zone)) throw unknownZone(tree, tree.zone)
      checked.add(tree.zone)
    }
    for (const child of children(tree)) visit(child)
  }
  visit(parse(text))
}

function unknownZone(tree: Tree, zone: string): Error {
  return expressionInvalid({ reason: `not a time zone: ${excerpt(zone)} (at ${offsets(tree.span)})` })
}
