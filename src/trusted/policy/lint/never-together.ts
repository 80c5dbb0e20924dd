import type { Tree } from '../tree.ts'
import { type Ground, placeOf, type ReadPolicy, type Remark, type Rule } from './finding.ts'
import { canBe, evaluateAbstractly } from './evaluate-abstractly.ts'

/**
 * `wallet.id == 'W' || private_key.id == 'K'`: no activity has both, and since both are always evaluated, the whole has
 * no value wherever one of them is true.
 */
export const neverTogether: Rule = (read, ground) => {
  const { condition } = read.trees
  return condition === undefined ? [] : alternatives(condition).flatMap((or) => remarkOn(or, read, ground))
}

type Alternatives = Tree & { readonly kind: 'and' | 'or' }

/** The alternatives on which the value of the condition depends directly. */
function alternatives(tree: Tree): readonly Alternatives[] {
  switch (tree.kind) {
    case 'and':
      return tree.parts.flatMap(alternatives)
    case 'or':
      return [tree, ...tree.parts.flatMap(alternatives)]
    case 'not':
      return alternatives(tree.operand)
    default:
      return []
  }
}

function remarkOn(or: Alternatives, read: ReadPolicy, { abstractRequests }: Ground): readonly Remark[] {
  for (const part of or.parts) {
    const able = abstractRequests.filter(({ facts }) => canBe(true, evaluateAbstractly(part, facts)))
    const lost = able.filter(({ facts }) => evaluateAbstractly(or, facts).value === undefined)
    const [first] = lost
    if (first === undefined || lost.length < able.length) continue
    const other = or.parts.find((tree) => evaluateAbstractly(tree, first.facts).value === undefined)
    const [here, there] = [part, other ?? part].map(({ span }) => placeOf(read, 'condition', span).text)
    return [
      {
        severity: 'warning',
        what: 'neverTogether',
        why: `Wherever \`${here}\` could be true, another part has no value, and so the whole has none: \`${there}\` has no value in ${first.name}. There the policy ${read.policy.effect === 'EFFECT_ALLOW' ? 'allows nothing' : 'denies only where another part fails'}. Write a policy for each.`,
        place: placeOf(read, 'condition', or.span),
      },
    ]
  }
  return []
}
