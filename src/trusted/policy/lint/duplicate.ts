import { print } from '../print.ts'
import type { Tree } from '../tree.ts'
import type { ReadPolicy, Rule } from './finding.ts'

/** A policy that says the same as an earlier one, up to the order of its parts. */
export const duplicate: Rule = (read, { policies }) => {
  const said = whole(read)
  if (said === undefined) return []
  const earlier = policies.slice(0, policies.indexOf(read)).filter((other) => whole(other) === said)
  if (earlier.length === 0) return []
  const others = earlier.map(({ policy }) => policy.policyId)
  const why = 'Another policy says the same: to remove or narrow only one of them changes nothing.'
  return [{ severity: 'warning', what: 'duplicate', why, others }]
}

/** Undefined for a policy that cannot be read. */
function whole({ policy, trees, unreadable }: ReadPolicy): string | undefined {
  if (unreadable.length > 0) return undefined
  const texts = [trees.condition, trees.consensus, trees.time].map((tree) =>
    tree === undefined ? null : sorted(tree),
  )
  return JSON.stringify([policy.effect, ...texts])
}

function sorted(tree: Tree): string {
  if (tree.kind === 'not') return `!(${sorted(tree.operand)})`
  if (tree.kind !== 'and' && tree.kind !== 'or') return print(tree)
  const parts = [...new Set(tree.parts.map(sorted))].sort()
  return `(${parts.join(tree.kind === 'and' ? ' && ' : ' || ')})`
}
