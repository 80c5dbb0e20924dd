import type { Failure } from '../base/failure.ts'
import type { Ms } from '../base/world.ts'
import type { Judgement, RehearsalCase } from '../catalogue/rehearsal.ts'
import type { Submission } from '../catalogue/submission.ts'
import { userOf } from '../charter/charter.ts'
import { userNotFound } from '../charter/members.ts'
import { decidePolicies, type PolicyAnswer, type PolicyQuestion } from '../policy/decide.ts'
import { DECISIVE } from '../policy/decisive.ts'
import { explainPolicies } from '../policy/explain.ts'
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
  const asked: Asked[] = []
  const ask = (question: PolicyQuestion) => {
    const before = { ...question, budgets: budgetsLeft(question) }
    const answer = decidePolicies(question)
    asked.push({ question: before, answer })
    return answer
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
    asked: asked.length > 0,
    evaluations: verdict.evaluations,
    deniedBy: verdict.kind === 'deny' ? verdict.deniedBy : [],
    voters: verdict.kind === 'wait' ? verdict.voters : [],
    explanations: by.explain ? worthTelling(asked).map(({ question }) => explainPolicies(question)) : [],
  }
}

type Asked = { readonly question: PolicyQuestion; readonly answer: PolicyAnswer }

/** An explanation is evaluated with what was left when the question was asked, so that it comes to the same. */
function budgetsLeft({ budgets }: PolicyQuestion): PolicyQuestion['budgets'] {
  return budgets && { budget: { ...budgets.budget }, waitingBudget: { ...budgets.waitingBudget } }
}

/** Of many things that a request does, those that stand in its way; then the first ones. */
function worthTelling(asked: readonly Asked[]): readonly Asked[] {
  if (asked.length <= EXPLAINED_MAX) return asked
  const inTheWay = ({ answer }: Asked) => DECISIVE.indexOf(answer.decision)
  return asked.toSorted((a, b) => inTheWay(a) - inTheWay(b)).slice(0, EXPLAINED_MAX)
}

const EXPLAINED_MAX = 10

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
