import { Failure } from '../../../trusted/base/failure.ts'
import type { Charter, Policy } from '../../../trusted/charter/charter.ts'
import { controlsFor } from '../../../trusted/charter/velocity-controls.ts'
import { parseWithControls } from '../../../trusted/policy/controls.ts'
import { meterKey, type UsageTree } from '../../../trusted/policy/meter.ts'
import { print } from '../../../trusted/policy/print.ts'
import { children, type ComparisonOperator, type Tree } from '../../../trusted/policy/tree.ts'

/** A comparison of usage with a number, in the condition of a policy. */
export type UsageLimit = {
  readonly policy: Policy
  /** The key of the meter, without the strings by which it counts. */
  readonly key: string
  /** As `usage.sum(eth.tx.value, '24h', wallet_account.address)`. */
  readonly usage: string
  readonly windowMs: number
  /** The expressions by which it counts separately. */
  readonly by: readonly string[]
  /** The highest usage that is within the limit. */
  readonly most: bigint
}

/** Only comparisons with a number can be shown as a limit. */
export function limitsIn(charter: Charter, policy: Policy): readonly UsageLimit[] {
  const tree = treeOf(charter, policy)
  if (tree === undefined) return []
  return comparisonsIn(tree).map(({ usage, most }) => ({
    policy,
    key: meterKey(usage),
    usage: print(usage),
    windowMs: usage.windowMs,
    by: usage.by.map(print),
    most,
  }))
}

/** Undefined for a policy without limits, and for one whose text cannot be read any more. */
function treeOf(charter: Charter, { condition = '' }: Policy): Tree | undefined {
  if (!/usage|controls/.test(condition)) return undefined
  try {
    return parseWithControls(condition, controlsFor(charter))
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

type Found = { readonly usage: UsageTree; readonly most: bigint }

function comparisonsIn(tree: Tree): readonly Found[] {
  const own = tree.kind === 'comparison' ? limitOf(tree) : undefined
  return [...(own === undefined ? [] : [own]), ...children(tree).flatMap(comparisonsIn)]
}

function limitOf({ operator, left, right }: Extract<Tree, { kind: 'comparison' }>): Found | undefined {
  if (left.kind === 'usage') return found(left, operator, right)
  return right.kind === 'usage' ? found(right, turned[operator], left) : undefined
}

function found(usage: UsageTree, operator: ComparisonOperator, number: Tree): Found | undefined {
  if (number.kind !== 'literal' || typeof number.value !== 'bigint') return undefined
  // An allowing policy writes `<= 5`, a denying one `> 5`: in both, 5 is still within the limit.
  if (operator === '<=' || operator === '>') return { usage, most: number.value }
  return operator === '<' || operator === '>=' ? { usage, most: number.value - 1n } : undefined
}

/** The operator with swapped sides. */
const turned = { '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const
