import type { Failure } from '../base/failure.ts'
import type { Ms } from '../base/world.ts'
import type { Judgement, RehearsalCase } from '../catalogue/rehearsal.ts'
import type { Submission } from '../catalogue/submission.ts'
import { userOf } from '../charter/charter.ts'
import { userNotFound } from '../charter/members.ts'
import { decidePolicies, type PolicyQuestion } from '../policy/decide.ts'
import { type Explanation, explainPolicies } from '../policy/explain.ts'
import type { Approval } from '../policy/people.ts'
import type { Facts } from '../policy/types.ts'
import { authorize, type Case } from './authorize.ts'
import { approvalOf, credentialsOf, type Standing } from './standing.ts'

/** How a request that is rehearsed would be decided by these policies and this root quorum. */
export function judgement(
  standing: Standing,
  by: {
    readonly submission: Submission
    readonly facts: readonly Facts[]
    readonly approvers: RehearsalCase['approvers']
    readonly explain: boolean
    readonly now: Ms
    readonly usageAt: NonNullable<Case['usageAt']>
  },
): Judgement {
  const approvals = by.approvers.map((approver) => approvalIn(standing, approver))
  const explanations: Explanation[] = []
  let asked = false
  const ask = (question: PolicyQuestion) => {
    asked = true
    if (by.explain) explanations.push(explainPolicies(question))
    return decidePolicies(question)
  }
  const [proposer] = approvals
  const voter = approvals.at(-1)
  if (proposer === undefined || voter === undefined) throw userNotFoundIn(standing, '')
  const verdict = authorize(
    {
      activity: by.submission.activity,
      intent: by.submission.newest,
      facts: by.facts,
      standing,
      approvals,
      voter,
      proposerId: proposer.user.id,
      now: by.now,
      usageAt: by.usageAt,
    },
    ask,
  )
  return {
    decision: verdict.kind,
    asked,
    evaluations: verdict.evaluations,
    deniedBy: verdict.kind === 'deny' ? verdict.deniedBy : [],
    voters: verdict.kind === 'wait' ? verdict.voters : [],
    explanations,
  }
}

function approvalIn(standing: Standing, { userId, publicKey }: RehearsalCase['approvers'][number]): Approval {
  const user = userOf(standing.charter, userId)
  if (user === undefined) throw userNotFoundIn(standing, userId)
  const credentials = credentialsOf(user)
  const used = credentials.filter((credential) => credential.publicKey === publicKey)
  return approvalOf(user, used.length === 0 ? credentials : used)
}

function userNotFoundIn({ charter: { organizationId } }: Standing, userId: string): Failure {
  return userNotFound({ userId, organizationId })
}
