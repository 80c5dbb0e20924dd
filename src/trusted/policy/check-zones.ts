import { costs } from '../base/costs.ts'
import { finished, type Steps } from '../base/work.ts'
import { excerpt, expressionInvalid, offsets } from './failures.ts'
import { parse } from './parse.ts'
import { children, type Tree } from './tree.ts'
import { isZone } from './zone.ts'

/**
 * Refuses an expression that names an unknown time zone. It is apart from the other checks, because it is slow and only
 * new expressions need it.
 *
 * @throws Failure `expressionInvalid`, whose message names the place
 */
export function checkZones(text: string): void {
  finished(zoneSteps(text))
}

/** The same in steps: each spelling of a zone is one. */
export function* zoneSteps(text: string): Steps<void> {
  const checked = new Set<string>()
  for (const span of spansIn(parse(text))) {
    if (checked.has(span.zone)) continue
    yield costs.timeZone
    if (!isZone(span.zone)) throw unknownZone(span, span.zone)
    checked.add(span.zone)
  }
}

function spansIn(tree: Tree): readonly (Tree & { readonly kind: 'cronSpan' })[] {
  return tree.kind === 'cronSpan' ? [tree] : children(tree).flatMap(spansIn)
}

function unknownZone(tree: Tree, zone: string): Error {
  return expressionInvalid({ reason: `not a time zone: ${excerpt(zone)} (at ${offsets(tree.span)})` })
}
