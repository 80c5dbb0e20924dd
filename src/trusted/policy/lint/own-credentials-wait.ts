import { parse } from '../parse.ts'
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
  const kinds = (isOfCredential: boolean): string =>
    own
      .filter(({ facts }) => isCertainly(true, evaluateAbstractly(OF_CREDENTIAL, facts)) === isOfCredential)
      .map(({ kind }) => kind)
      .toSorted()
      .join(', ')
  const [credentials, others] = [kinds(true), kinds(false)]
  const why = [
    ...(credentials === ''
      ? []
      : [
          `Under this policy users who do this for themselves wait for the approvals of the consensus, unless another policy allows it: ${credentials}.`,
        ]),
    ...(others === '' ? [] : [`With these, only users whom the consensus counts wait: ${others}.`]),
    'If users are to do it alone, leave these kinds out of the condition.',
  ]
  return [
    {
      severity: 'note',
      what: 'ownCredentialsWait',
      why: why.join(' '),
      place: placeOf(read, 'consensus', consensus.span),
    },
  ]
}

/** About these a user waits also where the consensus counts only others; a login does not. */
const OF_CREDENTIAL = parse("activity.resource == 'CREDENTIAL'")
