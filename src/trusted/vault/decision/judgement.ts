import type { Failure } from '../../base/failure.ts'
import type { Steps, Work } from '../../base/work.ts'
import type { Judgement, RehearsalCase } from '../../catalogue/rehearsal.ts'
import { userOf } from '../../charter/charter.ts'
import { userNotFound } from '../../charter/members.ts'
import { decisionSteps, type PolicyAnswer, type PolicyQuestion } from '../../policy/decide.ts'
import { DECISIVE_ORDER } from '../../policy/combine-decisions.ts'
import { type Explanation, explanationSteps } from '../../policy/explain.ts'
import type { Approval } from '../../policy/people.ts'
import { authorize, type Case, type UsedBefore } from './authorize.ts'
import { approvalOf, credentialsOf, type CompiledCharter } from '../charters/compiled-charter.ts'

/** The judgement of a rehearsed request by these policies and this root quorum. */
export async function judgement(
  subject: Case,
  by: {
    readonly approvers: RehearsalCase['approvers']
    readonly explain: boolean
    readonly usage: UsedBefore
  },
  work: Work,
): Promise<Judgement> {
  const { compiled } = subject
  const approvals = by.approvers.map((approver) => approvalIn(compiled, approver))
  const asked: Asked[] = []
  const ask = function* (question: PolicyQuestion): Steps<PolicyAnswer> {
    const before = { ...question, budgets: budgetsLeft(question) }
    const answer = yield* decisionSteps(question)
    asked.push({ question: before, answer })
    return answer
  }
  const voter = approvals.at(-1)
  if (voter === undefined) throw userNotFoundIn(compiled, '')
  const verdict = await authorize(subject, { approvals, voter, usage: by.usage }, work, ask)
  const explanations: Explanation[] = []
  if (by.explain)
    for (const { question } of worthTelling(asked))
      explanations.push(await work.through(explanationSteps(question)))
  return {
    decision: verdict.kind,
    asked: asked.length > 0,
    evaluations: verdict.evaluations,
    deniedBy: verdict.kind === 'deny' ? verdict.deniedBy : [],
    voters: verdict.kind === 'wait' ? verdict.voters : [],
    explanations,
  }
}

type Asked = { readonly question: PolicyQuestion; readonly answer: PolicyAnswer }

/** The explanation uses the budget that the evaluation had, so that both have the same result. */
function budgetsLeft({ budgets }: PolicyQuestion): PolicyQuestion['budgets'] {
  return budgets && { budget: { ...budgets.budget }, waitingBudget: { ...budgets.waitingBudget } }
}

/** Of many actions of a request, those that prevent it come first, then the others in their order. */
function worthTelling(asked: readonly Asked[]): readonly Asked[] {
  if (asked.length <= EXPLAINED_MAX) return asked
  const inTheWay = ({ answer }: Asked) => DECISIVE_ORDER.indexOf(answer.decision)
  return asked.toSorted((a, b) => inTheWay(a) - inTheWay(b)).slice(0, EXPLAINED_MAX)
}

const EXPLAINED_MAX = 10

function approvalIn(
  compiled: CompiledCharter,
  { userId, publicKey }: RehearsalCase['approvers'][number],
): Approval {
  const user = userOf(compiled.charter, userId)
  if (user === undefined) throw userNotFoundIn(compiled, userId)
  const credentials = credentialsOf(user)
  const used = credentials.filter((credential) => credential.publicKey === publicKey)
  return approvalOf(user, used.length === 0 ? credentials : used)
}

function userNotFoundIn({ charter: { organizationId } }: CompiledCharter, userId: string): Failure {
  return userNotFound({ userId, organizationId })
}
