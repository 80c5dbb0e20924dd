import type { Rule } from './finding.ts'
import { evaluateAbstractly, isCertainly } from './evaluate-abstractly.ts'

/** An ALLOW policy that asks for nothing: its condition and its consensus are left out or always true. */
export const allowsEverything: Rule = ({ policy, trees, unreadable }, { abstractRequests }) => {
  const { condition, consensus } = trees
  if (policy.effect !== 'EFFECT_ALLOW' || unreadable.length > 0) return []
  if (consensus !== undefined && !isCertainly(true, evaluateAbstractly(consensus, {}))) return []
  const isAlways =
    condition === undefined ||
    abstractRequests.every(({ facts }) => isCertainly(true, evaluateAbstractly(condition, facts)))
  if (!isAlways) return []
  const why =
    'While it is active, it allows every user every activity that policies decide about, exports and changes of policies included: give it a condition, a consensus, or both.'
  return [{ severity: 'danger', what: 'allowsEverything', why }]
}
