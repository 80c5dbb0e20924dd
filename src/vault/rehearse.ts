import { type ErrorBody, errorBody, Failure } from '../base/failure.ts'
import { utf8 } from '../base/bytes.ts'
import type { Ms } from '../base/world.ts'
import type { Judgement, Rehearsal, RehearsalCase, RehearsedCase } from '../catalogue/rehearsal.ts'
import { readSubmission, type Submission } from '../catalogue/submission.ts'
import { type Charter, userOf } from '../charter/charter.ts'
import { userNotFound } from '../charter/members.ts'
import { withoutPolicies, withPolicy } from '../charter/policies.ts'
import { checkPolicyTerms } from '../policy/compile-policy.ts'
import { decidePolicies, type PolicyQuestion } from '../policy/decide.ts'
import { type Explanation, explainPolicies } from '../policy/explain.ts'
import type { Approval } from '../policy/people.ts'
import { authorize } from './authorize.ts'
import { standingsOf } from './decide.ts'
import { factsOf, preparedOf } from './facts.ts'
import type { Judge } from './hearing.ts'
import { openRows } from './open-rows.ts'
import type { BroughtNames, BroughtRows, OfferedCharter } from './protocol.ts'
import { approvalOf, credentialsOf, stand, type Standing } from './standing.ts'

export type RehearseRequest = Omit<Rehearsal, 'cases'> & {
  readonly organizationId: string
  readonly charters: readonly OfferedCharter[]
  readonly cases: readonly (RehearsalCase & { readonly rows: BroughtRows; readonly taken: BroughtNames })[]
}

export type Rehearsed =
  | { readonly kind: 'rehearsed'; readonly cases: readonly RehearsedCase[] }
  | { readonly kind: 'refused'; readonly error: ErrorBody }
  | { readonly kind: 'needs'; readonly charters: readonly string[] }

/** Judges by the very code that decides, and carries nothing out. */
export function rehearse(judge: Judge, request: RehearseRequest): Rehearsed {
  const { standings, missing } = standingsOf(judge, request.organizationId, request.charters)
  if (standings === undefined) return { kind: 'needs', charters: missing }
  try {
    const drafted = request.draft === undefined ? undefined : draftedStanding(judge, standings.own, request)
    const courts = { ...standings, drafted }
    return { kind: 'rehearsed', cases: request.cases.map((one) => rehearsed(judge, courts, request, one)) }
  } catch (error) {
    if (error instanceof Failure) return { kind: 'refused', error: errorBody(error) }
    throw error
  }
}

type Courts = {
  readonly own: Standing
  readonly parent: Standing | undefined
  readonly drafted: Standing | undefined
}

function draftedStanding({ vocabulary }: Judge, { charter }: Standing, { draft }: RehearseRequest): Standing {
  const { put = [], remove = [] } = draft ?? {}
  for (const policy of put) checkPolicyTerms(policy, vocabulary)
  const kept: Charter = withoutPolicies(charter, remove)
  return stand(put.reduce(withPolicy, kept), vocabulary)
}

function rehearsed(
  judge: Judge,
  courts: Courts,
  { organizationId, explain }: RehearseRequest,
  one: RehearseRequest['cases'][number],
): RehearsedCase {
  try {
    const submission = readSubmission(utf8(one.body), judge.types)
    const { activity, newest } = submission
    activity.validate?.(newest, judge.vocabulary)
    const rows = openRows(judge.keyring, organizationId, activity.needs?.(newest, undefined) ?? {}, one)
    try {
      const proposerId = one.approvers[0]?.userId ?? ''
      const isOfParent = courts.parent !== undefined && userOf(courts.own.charter, proposerId) === undefined
      const court = isOfParent ? courts.parent : courts.own
      const by = {
        submission,
        facts: factsOf(submission, rows, { prepared: preparedOf(submission, rows), proposerId }),
        approvers: one.approvers,
        explain,
      }
      const judged = (standing: Standing) => judgement(standing, { ...by, now: one.at ?? judge.world.now() })
      return {
        kind: 'judged',
        judgement: judged(court),
        ...(courts.drafted === undefined || isOfParent ? {} : { drafted: judged(courts.drafted) }),
      }
    } finally {
      rows.wipe()
    }
  } catch (error) {
    if (error instanceof Failure) return { kind: 'unclear', error: errorBody(error) }
    throw error
  }
}

function judgement(
  standing: Standing,
  by: {
    readonly submission: Submission
    readonly facts: ReturnType<typeof factsOf>
    readonly approvers: RehearsalCase['approvers']
    readonly explain: boolean
    readonly now: Ms
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
