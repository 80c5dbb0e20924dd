import type { Failure } from '../../base/failure.ts'
import type { Steps, Work } from '../../base/work.ts'
import type { Judgement, RehearsalCase } from '../../catalogue/rehearsal.ts'
import { userOf } from '../../charter/charter.ts'
import { userNotFound } from '../../charter/members.ts'
import { decisionSteps, type PolicyAnswer, type PolicyQuestion } from '../../policy/decide.ts'
import { DECISIVE_ORDER } from '../../policy/combine-decisions.ts'
import { type Explanation, explanationRoom, explanationSteps } from '../../policy/explain.ts'
import type { Approval } from '../../policy/people.ts'
import { authorize, type Case, type UsedBefore } from './authorize.ts'
import type { CompiledCharter } from '../charters/compiled-charter.ts'
import { approvalOf, credentialsOf, renewable } from '../charters/holders.ts'
import { VOTE_LIFETIME_MS } from '../records/votes.ts'

type Rehearsed = {
  readonly approvers: RehearsalCase['approvers']
  readonly explain: boolean
  readonly usage: UsedBefore
}

/**
 * The judgement of a rehearsed request by these policies and this root quorum, when the last of its approvers approves.
 */
export async function judgement(subject: Case, by: Rehearsed, work: Work): Promise<Judgement> {
  return await judgedVote(subject, by, work)
}

/**
 * The same with one approval after the other, as if these policies had been in force when the request was made: the
 * first approval that is enough has it carried out, nobody is asked about a request that is refused to its sender, and
 * an approval that is refused does not count.
 */
export async function judgementFromTheStart(subject: Case, by: Rehearsed, work: Work): Promise<Judgement> {
  const [first, ...others] = by.approvers
  const counted = first === undefined ? [] : [first]
  let reached = await judgedVote(subject, { ...by, approvers: counted }, work)
  for (const approver of others) {
    if (reached.decision !== 'wait') return reached
    const next = await judgedVote(subject, { ...by, approvers: [...counted, approver] }, work)
    if (next.decision === 'deny') continue
    counted.push(approver)
    reached = next
  }
  return reached
}

/** Those whose approval still counts when the last of them approves, and those whose approval lapsed before. */
function byLapse(approvers: Rehearsed['approvers']) {
  const last = approvers.at(-1)?.castAt ?? Number.NaN
  const hasLapsed = ({ castAt = last }: Rehearsed['approvers'][number]) => last - castAt >= VOTE_LIFETIME_MS
  return { counting: approvers.filter((one) => !hasLapsed(one)), lapsed: approvers.filter(hasLapsed) }
}

/** When the last of these approvals comes. */
async function judgedVote(
  subject: Case,
  { approvers, explain, usage }: Rehearsed,
  work: Work,
): Promise<Judgement> {
  const { compiled } = subject
  const { counting, lapsed } = byLapse(approvers)
  const approvals = counting.map((approver) => approvalIn(compiled, approver))
  const asked: Asked[] = []
  const ask = function* (question: PolicyQuestion): Steps<PolicyAnswer> {
    const before = { ...question, budgets: budgetsLeft(question) }
    const answer = yield* decisionSteps(question)
    asked.push({ question: before, answer })
    return answer
  }
  const voter = approvals.at(-1)
  if (voter === undefined) throw userNotFoundIn(compiled, '')
  const others = lapsed.map(({ userId }) => userId).filter((userId) => userId !== voter.user.id)
  const outstanding = renewable(compiled.charter, others)
  const verdict = await authorize(subject, { approvals, outstanding, voter, usage }, work, ask)
  const explanations: Explanation[] = []
  const room = explanationRoom()
  for (const { question } of explain ? worthTelling(asked) : [])
    if (room.characters > 0) explanations.push(await work.through(explanationSteps(question, room)))
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
