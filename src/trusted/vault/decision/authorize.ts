import type { Work } from '../../base/work.ts'
import type { Activity } from '../../catalogue/activity.ts'
import { isRoot, userOf } from '../../charter/charter.ts'
import { userNotFound } from '../../charter/members.ts'
import { type Ask, combinedSteps } from '../../policy/combine-decisions.ts'
import type { PolicyQuestion } from '../../policy/decide.ts'
import { eligibleVoterSteps } from '../../policy/eligible-voters.ts'
import { hasOwnAuthority } from '../../policy/own-authority.ts'
import { laterApprovals } from '../../policy/later-approvals.ts'
import type { Usage } from '../../policy/run.ts'
import { type Approval, togetherOf } from '../../policy/people.ts'
import type { Facts } from '../../policy/types.ts'
import { policiesFor, type CompiledCharter } from '../charters/compiled-charter.ts'
import { askedOf, mayAloneAsOwner } from '../authentication/asked-of.ts'
import { isRecoverySet } from '../recovery/recovery-set.ts'
import { DENIED, type Verdict } from './verdict.ts'

export type Case = {
  readonly activity: Activity
  /** In the newest form. */
  readonly intent: unknown
  /** The facts for policies, one set for each action of the request. */
  readonly facts: readonly Facts[]
  readonly compiled: CompiledCharter
  /** The original sender of the request. */
  readonly proposerId: string
  readonly now: number
}

/** The approvals of a request, and the usage of each limit. */
export type Approved = {
  /** Every approval that counts, the voter's among them: with each credential that the voter has shown so far. */
  readonly approvals: readonly Approval[]
  /** The approvals of others that may come to count: an MFA policy asks for more proofs, or the vote has lapsed. */
  readonly outstanding?: readonly Approval[]
  /** The sender of the request or vote. */
  readonly voter: Approval
  readonly usage: UsedBefore
}

export type UsedBefore = {
  /** The earlier usage for one set of facts, as policies see it; undefined where no policy has a limit. */
  readonly usageAt: (at: number) => Usage | undefined
}

/**
 * Decides a request by these rules, in this order. An activity for oneself only is denied to any other user. The key of
 * a recovery set, or any single root user, decides activities that are reserved for them. The root quorum may do
 * anything, and activities that are reserved for it stop there. Then come policies: one that denies, one that allows,
 * one that would allow and waits for more approvals. Then users may act on their own credentials, where no policy
 * decides. A part of the root quorum may wait for the rest. Everything else is denied. In each case the voter's own
 * approval must count, regardless of the approvals of others (docs/decisions/votes.md).
 */
export async function authorize(
  subject: Case,
  { approvals, outstanding = [], voter: { user }, usage: used }: Approved,
  work: Work,
  ask?: Ask,
): Promise<Verdict> {
  const voter = togetherOf(approvals, user)
  const { activity, intent, compiled, proposerId, now } = subject
  const { authority } = activity
  const { threshold, userIds } = compiled.charter.rootQuorum
  if (authority.kind === 'onlySelf') {
    const self = authority.self(intent)
    const { charter } = compiled
    if (userOf(charter, self) === undefined)
      throw userNotFound({ userId: self, organizationId: charter.organizationId })
    if (self !== proposerId) return DENIED
  }

  const asked = askedOf(subject)
  // The root quorum cannot begin or complete an attempt either, and the key of a set may do only that.
  if (asked === 'recoverySet' || isRecoverySet(voter))
    return asked === 'recoverySet' && isRecoverySet(voter) ? { kind: 'allow', evaluations: [] } : DENIED
  if (asked === 'anyRootUser' && isRoot(compiled.charter, voter.user.id))
    return { kind: 'allow', evaluations: [] }
  const approvers = new Set(approvals.map((approval) => approval.user.id))
  const rootApprovers = userIds.filter((userId) => approvers.has(userId))
  const missingRoots = userIds.filter((userId) => !approvers.has(userId))
  const voterIsRoot = isRoot(compiled.charter, voter.user.id)
  const isQuorum = rootApprovers.length >= threshold
  if (isQuorum && voterIsRoot) return { kind: 'allow', evaluations: [] }
  if (authority.kind === 'rootQuorum')
    return voterIsRoot ? { kind: 'wait', evaluations: [], voters: missingRoots } : DENIED

  const isOwn = voter.user.id === proposerId && mayAloneAsOwner(activity, intent, voter)
  const { everyone } = compiled
  const later = laterApprovals(approvals, everyone)
  // Of several things, a voter may have a say in one, and others may have had theirs in the rest.
  const isOfSeveral = subject.facts.length > 1
  const contributors = isOfSeveral ? [...approvals, ...outstanding] : [voter]
  const questions = subject.facts.map((facts, at) => {
    const usage = used.usageAt(at)
    const policies = policiesFor(compiled, facts)
    // Where a policy about a user's own credentials asks for approvals of others, the user waits for them.
    const asksForOthers = isOwn && activity.resource === 'CREDENTIAL'
    return {
      policies,
      facts,
      approvals,
      voter,
      contributors,
      everyone,
      later,
      isOwn: asksForOthers,
      now,
      usage,
    }
  })
  // A single voter's approval is the whole sum. Among several, the voter's own approval is checked separately: a voter
  // whose approval does not count settles nothing.
  const isClear = (beside: readonly Approval[]) => voterIsRoot || isOwn || isAlone(user.id, beside)
  const hasAuthority = async (over: readonly PolicyQuestion[]) =>
    isClear(approvals) || (await work.through(hasOwnAuthority(over)))
  if (isQuorum) return (await hasAuthority(questions)) ? { kind: 'allow', evaluations: [] } : DENIED
  const { question, alike, answer: policies } = await work.through(combinedSteps(questions, ask))
  const { evaluations } = policies
  if (policies.decision === 'deny') return denied(evaluations, policies.deniedBy)
  if (policies.decision === 'allow')
    return (await hasAuthority(questions)) ? { kind: 'allow', evaluations } : DENIED
  const waits = policies.decision === 'consensus'
  if (isOwn && !waits) return { kind: 'allow', evaluations }
  if (waits && isOfSeveral && !isClear(contributors)) {
    const earlier = approvals.filter((approval) => approval.user.id !== user.id)
    const undecided = await undecidedBefore(questions, earlier, work)
    if (!(await work.through(hasOwnAuthority(undecided)))) return DENIED
  }
  if (waits || voterIsRoot) {
    const undecided = waits ? those(questions, alike) : [question]
    const voters = new Set([...(await work.through(eligibleVoterSteps(undecided))), ...missingRoots])
    for (const approver of approvers) voters.delete(approver)
    return { kind: 'wait', evaluations, voters: [...voters] }
  }
  return denied(evaluations, [])
}

function isAlone(userId: string, approvals: readonly Approval[]): boolean {
  return approvals.every(({ user }) => user.id === userId)
}

/**
 * The questions that these approvals alone leave undecided: a say in what waits for nobody is none in the request.
 * Whether they could wait is not asked, so nobody contributes.
 */
async function undecidedBefore(
  questions: readonly PolicyQuestion[],
  earlier: readonly Approval[],
  work: Work,
): Promise<readonly PolicyQuestion[]> {
  const later = laterApprovals(earlier, questions[0]?.everyone ?? [])
  const then = { approvals: earlier, contributors: [], later }
  const asked = questions.map((question) => ({ ...question, ...then }))
  const { answer, alike } = await work.through(combinedSteps(asked))
  return answer.decision === 'allow' ? [] : those(questions, alike)
}

function those<T>(items: readonly T[], places: readonly number[]): readonly T[] {
  return places.flatMap((place) => items.slice(place, place + 1))
}

function denied(
  evaluations: Extract<Verdict, { kind: 'deny' }>['evaluations'],
  deniedBy: readonly string[],
): Verdict {
  return { kind: 'deny', evaluations, deniedBy }
}
