import { type Rule, placeOf } from './finding.ts'
import { canBe, evaluateAbstractly, isCertainly } from './evaluate-abstractly.ts'

/**
 * An ALLOW policy that makes users wait for somebody with what is about their own credentials. They may do that by themselves only
 * where no policy decides; versions before this rule let them pass over one that waits.
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
      why: `Users who do this for themselves wait for whom the consensus wants, unless another policy allows it: ${kinds.join(', ')}. Leave these out of the condition where they are to be free to.`,
      place: placeOf(read, 'consensus', consensus.span),
    },
  ]
}
