import type { Work } from '../base/work.ts'
import type { Activity } from '../catalogue/activity.ts'
import { isRoot, userOf } from '../charter/charter.ts'
import { userNotFound } from '../charter/members.ts'
import { type Ask, combinedSteps } from '../policy/combine-decisions.ts'
import { eligibleVoterSteps } from '../policy/eligible-voters.ts'
import { hasOwnSay } from '../policy/own-say.ts'
import type { Usage } from '../policy/run.ts'
import type { Approval } from '../policy/people.ts'
import type { Facts } from '../policy/types.ts'
import { policiesFor, type CompiledCharter } from './compiled-charter.ts'
import { askedOf } from './asked-of.ts'
import { isRecoverySet } from './recovery-set.ts'
import type { Verdict } from './verdict.ts'

export type Case = {
  readonly activity: Activity
  /** In the newest form. */
  readonly intent: unknown
  /** What policies may look at, for each thing that the request does. */
  readonly facts: readonly Facts[]
  readonly compiled: CompiledCharter
  /** Who made the request in the first place. */
  readonly proposerId: string
  readonly now: number
}

/** Who approves it, and how much of each limit has been used. */
export type Approved = {
  /** Every approval that counts, the voter's among them. */
  readonly approvals: readonly Approval[]
  /** Whose request or vote this is. */
  readonly voter: Approval
  readonly usage: UsedBefore
}

export type UsedBefore = {
  /** What was used before, as policies see it when one of the facts is judged; undefined where none of them limits anything. */
  readonly usageAt: (at: number) => Usage | undefined
}

/**
 * Who decides, in this order: nobody may act for another where only oneself may; what is asked of the key of a recovery set, or of any
 * one root user, is theirs; the root quorum may do anything; what is the
 * root quorum's alone stops there; then policies: one that denies, one that allows, one that would allow and waits for
 * somebody; then what users may do with their own credentials, where no policy decides; and a part of the root quorum may wait
 * for the rest. Everything else is denied. A voter needs a say of their own for any of it, however much others have
 * approved (docs/decisions/votes.md).
 */
export async function authorize(
  subject: Case,
  { approvals, voter, usage: used }: Approved,
  work: Work,
  ask?: Ask,
): Promise<Verdict> {
  const { activity, intent, compiled, proposerId, now } = subject
  const { authority } = activity
  const { threshold, userIds } = compiled.charter.rootQuorum
  if (authority.kind === 'onlySelf') {
    const self = authority.self(intent)
    const { charter } = compiled
    if (userOf(charter, self) === undefined)
      throw userNotFound({ userId: self, organizationId: charter.organizationId })
    if (self !== proposerId) return denied([], [])
  }

  const asked = askedOf(subject)
  // Not even the root quorum begins or completes an attempt, and the key of a set may do nothing else.
  if (asked === 'recoverySet' || isRecoverySet(voter))
    return asked === 'recoverySet' && isRecoverySet(voter)
      ? { kind: 'allow', evaluations: [] }
      : denied([], [])
  if (asked === 'anyRootUser' && isRoot(compiled.charter, voter.user.id))
    return { kind: 'allow', evaluations: [] }
  const approvers = new Set(approvals.map((approval) => approval.user.id))
  const rootApprovers = userIds.filter((userId) => approvers.has(userId))
  const missingRoots = userIds.filter((userId) => !approvers.has(userId))
  const voterIsRoot = isRoot(compiled.charter, voter.user.id)
  const isQuorum = rootApprovers.length >= threshold
  if (isQuorum && voterIsRoot) return { kind: 'allow', evaluations: [] }
  if (authority.kind === 'rootQuorum')
    return voterIsRoot ? { kind: 'wait', evaluations: [], voters: missingRoots } : denied([], [])

  const isOwn =
    authority.kind === 'ownCredentials' &&
    [undefined, proposerId].includes(authority.owner(intent)) &&
    voter.user.id === proposerId
  const { everyone } = compiled
  const questions = subject.facts.map((facts, at) => {
    const usage = used.usageAt(at)
    const policies = policiesFor(compiled, facts)
    // A policy about their own credentials that wants somebody else alone is one that users wait for, and pass over in nothing.
    const asksForOthers = isOwn && activity.resource === 'CREDENTIAL'
    return { policies, facts, approvals, voter, everyone, isOwn: asksForOthers, now, usage }
  })
  // Alone, the voter has the say that the sum has. Beside others it is asked for by itself: who has none settles nothing.
  const hasSay = async () =>
    voterIsRoot || isOwn || approvers.size === 1 || (await work.through(hasOwnSay(questions)))
  if (isQuorum) return (await hasSay()) ? { kind: 'allow', evaluations: [] } : denied([], [])
  const { question, answer: policies } = await work.through(combinedSteps(questions, ask))
  const { evaluations } = policies
  if (policies.decision === 'deny') return denied(evaluations, policies.deniedBy)
  if (policies.decision === 'allow') return (await hasSay()) ? { kind: 'allow', evaluations } : denied([], [])
  const waits = policies.decision === 'consensus'
  if (isOwn && !waits) return { kind: 'allow', evaluations }
  if (waits || voterIsRoot) {
    const voters = new Set([...(await work.through(eligibleVoterSteps(question))), ...missingRoots])
    for (const approver of approvers) voters.delete(approver)
    return { kind: 'wait', evaluations, voters: [...voters] }
  }
  return denied(evaluations, [])
}

function denied(
  evaluations: Extract<Verdict, { kind: 'deny' }>['evaluations'],
  deniedBy: readonly string[],
): Verdict {
  return { kind: 'deny', evaluations, deniedBy }
}
