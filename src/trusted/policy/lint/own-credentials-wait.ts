import { type Rule, placeOf } from './finding.ts'
import { canBe, evaluateAbstractly, isCertainly } from './evaluate-abstractly.ts'

/**
 * An ALLOW policy under which activities about a user's own credentials wait for other users. Users may carry these out
 * alone only where no policy decides; versions before this rule let them pass over a policy that waits.
 */
export const ownCredentialsWait: Rule = (read, { abstractRequests }) => {
  const { condition, consensus } = read.trees
  if (read.policy.effect !== 'EFFECT_ALLOW' || read.unreadable.length > 0 || consensus === undefined)
    return []
  if (isCertainly(true, evaluateAbstractly(consensus, {}))) return []
  const own = abstractRequests.filter(
    ({ isOwn, facts }) =>
      isOwn && (condition === undefined || canBe(true, evaluateAbstractly(condition, facts))),
  )
  if (own.length === 0) return []
  const kinds = own.map(({ kind }) => kind).toSorted()
  return [
    {
      severity: 'note',
      what: 'ownCredentialsWait',
      why: `Under this policy users who do this for themselves wait for the approvals of the consensus, unless another policy allows it: ${kinds.join(', ')}. At a login or a recovery, only users whom the consensus counts wait. If users are to do it alone, leave these kinds out of the condition.`,
      place: placeOf(read, 'consensus', consensus.span),
    },
  ]
}
