import { meterKey, type UsageTree } from '../meter.ts'
import { sameButForCase } from '../text.ts'
import type { Tree } from '../tree.ts'
import { type Ground, placeOf, type ReadPolicy, type Rule } from './finding.ts'
import { canBe, evaluateAbstractly } from './evaluate-abstractly.ts'
import { comparedTexts, pathOf, walk } from './walk.ts'

/**
 * `eth.tx.value <= 5 && usage.sum(eth.tx.value, '24h') <= 20` beside a policy for larger payments that two users
 * approve: a meter counts every payment that is carried out, so that one large payment uses up the small limit.
 */
export const limitCountsOthers: Rule = (read, ground) => {
  const { condition } = read.trees
  if (read.policy.effect !== 'EFFECT_ALLOW' || condition === undefined) return []
  return usagesIn(condition)
    .filter((usage) => !picksOut(usage) && !isControl(usage, read))
    .flatMap((usage) => {
      const others = ground.policies.filter(
        (other) => other !== read && isCounted(other, read, usage, ground),
      )
      if (others.length === 0) return []
      const instead =
        usage.what === 'sum'
          ? '`usage.sum([amount, 0].filter(x, x <= 5)[0], …)` sums amounts up to 5 alone'
          : '`usage.sum([amount].filter(x, x <= 5).count(), …)` counts requests with an amount up to 5 alone'
      return [
        {
          severity: 'note' as const,
          what: 'limitCountsOthers' as const,
          why: `Requests that other policies allow once more users approve, however large, count towards this limit as well. To count only requests that this policy allows, pick them out by their amount: ${instead}.`,
          place: placeOf(read, 'condition', usage.span),
          others: others.map(({ policy }) => policy.policyId),
        },
      ]
    })
}

/** Whether the usage comes from a control, whose text is not known here. */
function isControl({ span }: UsageTree, read: ReadPolicy): boolean {
  return !placeOf(read, 'condition', span).text.startsWith('usage.')
}

function usagesIn(condition: Tree): readonly UsageTree[] {
  return walk(condition).flatMap(({ tree }) => (tree.kind === 'usage' ? [tree] : []))
}

/** Whether the amount is zero for some requests, by the author's choice. */
function picksOut({ amount }: UsageTree): boolean {
  return amount !== undefined && walk(amount).some(({ tree }) => tree.kind === 'filter')
}

/**
 * Whether another ALLOW policy with a consensus, which does not ask this meter, may allow requests that this one
 * counts. A policy without a consensus is no second tier: under it nobody needs the first.
 */
function isCounted(
  other: ReadPolicy,
  read: ReadPolicy,
  usage: UsageTree,
  { abstractRequests }: Ground,
): boolean {
  const [own, its] = [read.trees.condition, other.trees.condition]
  if (other.policy.effect !== 'EFFECT_ALLOW' || other.unreadable.length > 0) return false
  if (other.trees.consensus === undefined) return false
  if (its === undefined || own === undefined) return true
  if (usagesIn(its).some((usageTree) => meterKey(usageTree) === meterKey(usage))) return false
  if (areApart(own, its, usage)) return false
  return abstractRequests.some(
    ({ facts }) =>
      canBe(true, evaluateAbstractly(usage, facts)) &&
      [own, its].every((tree) => canBe(true, evaluateAbstractly(tree, facts))),
  )
}

/** Whether both want a keyword that the limit counts by to be one of some texts, and have none in common. */
function areApart(tree: Tree, another: Tree, usage: UsageTree): boolean {
  const counted = usage.by.flatMap((by) => pathOf({ tree: by, hidden: [] })?.join('.') ?? [])
  const wanted = demandsOf(another)
  return demandsOf(tree)
    .filter(({ path }) => counted.includes(path) || (isSigner(path) && counted.some(isSigner)))
    .some(({ path, texts }) =>
      wanted.some(
        (other) => other.path === path && !other.texts.some((a) => texts.some((b) => sameButForCase(a, b))),
      ),
    )
}

/** Another key is another account, and another sender. */
function isSigner(path: string): boolean {
  return /^(private_key|wallet|wallet_account)\.|\.tx\.(from|sender)$/.test(path)
}

function demandsOf(condition: Tree): readonly { readonly path: string; readonly texts: readonly string[] }[] {
  const parts = condition.kind === 'and' ? condition.parts : [condition]
  return parts
    .filter((part) => part.kind === 'member' || (part.kind === 'comparison' && part.operator === '=='))
    .flatMap((tree) => comparedTexts({ tree, hidden: [] }))
    .flatMap(({ subject, texts }) => {
      const path = pathOf(subject)?.join('.')
      return path === undefined || texts.length === 0
        ? []
        : [{ path, texts: texts.map(({ value }) => value) }]
    })
}
