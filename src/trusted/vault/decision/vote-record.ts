import type { ErrorBody } from '../../base/failure.ts'
import { idAt } from '../../base/ids.ts'
import type { Submission } from '../../catalogue/submission.ts'
import type { ActivityRow } from '../../catalogue/unit.ts'
import { audienceOf, chartersOf, type RequestContext } from '../authentication/request-context.ts'
import { stamperOf } from '../authentication/stamper-of.ts'
import type { CompiledCharter } from '../charters/compiled-charter.ts'
import { appendVote, type Vote, votersOf, voteText } from '../records/votes.ts'
import { sealActivity } from '../seals/seals.ts'
import { type Changes, noChanges } from './changes.ts'
import { decidedOn } from './decision-basis.ts'
import { randomBytesAt } from './drawing.ts'
import type { Judged } from './judged.ts'
import type { MfaNote } from './mfa.ts'
import { evaluationText, failureText } from './record.ts'
import type { Verdict } from './verdict.ts'

/** The activity that is voted on. */
export type VotedOn = {
  readonly target: ActivityRow
  readonly first: Vote
  readonly governing: CompiledCharter
  readonly original: Submission
}

export function rejected(context: RequestContext, of: VotedOn): Judged {
  return recorded(
    context,
    of,
    'VOTE_SELECTION_REJECTED',
    { evaluations: [] },
    { status: 'ACTIVITY_STATUS_REJECTED' },
  )
}

type Settlement = {
  readonly status: ActivityRow['status']
  readonly result?: string
  readonly answer?: string
  readonly failure?: ErrorBody
  readonly changes?: Changes
  readonly mfa?: MfaNote
  /** The sender, who has yet to approve, or to show a proof of their own. */
  readonly owing?: string
}

export function counted(
  context: RequestContext,
  votedOn: VotedOn,
  verdict: Exclude<Verdict, { kind: 'deny' }>,
  settlement: Settlement,
): Judged {
  const { userId } = context.identity.user
  const before = votersOf(votedOn.target).filter((voter) => voter !== userId)
  const others = verdict.kind === 'wait' ? verdict.voters : []
  const { owing } = settlement
  // While a proof or the sender is awaited, everyone who could vote before still can, to reject it above all; the voter
  // only to show a proof of their own.
  const whileUnproven = settlement.mfa?.satisfied === false ? [userId, ...before] : before
  const isUnproven = settlement.status === 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'
  const asked = isUnproven || (owing !== undefined && verdict.kind === 'allow') ? whileUnproven : others
  const voters = owing === undefined || asked.includes(owing) ? asked : [owing, ...asked]
  return recorded(
    context,
    votedOn,
    'VOTE_SELECTION_APPROVED',
    { evaluations: verdict.evaluations, voters },
    settlement,
  )
}

function recorded(
  context: RequestContext,
  { target, governing, first }: VotedOn,
  selection: 'VOTE_SELECTION_APPROVED' | 'VOTE_SELECTION_REJECTED',
  vote: { readonly evaluations: Verdict['evaluations']; readonly voters?: readonly string[] },
  settlement: Settlement,
): Judged {
  const { vaultContext, request, submission, compiled, identity, now } = context
  const { organizationId, activity } = submission
  const { userId } = identity.user
  const place = () => ({ organizationId, userId, kind: `${activity.operation} vote` })
  const id = idAt(now, randomBytesAt(vaultContext, place))
  const { activityId } = target
  const cast = voteText({ id, activityId, selection, body: request.body, identity, now })
  const { evaluations } = vote
  const decided = decidedOn(context, governing, evaluations)
  const evaluation = evaluationText({ ...settlement, voteId: id, now, evaluations, decided })
  const { seal: _, ...before } = target
  const row = sealActivity(vaultContext.keyring, {
    ...before,
    status: settlement.status,
    revision: target.revision + 1,
    updatedAt: now,
    result: settlement.result ?? null,
    failure: settlement.failure === undefined ? null : failureText(settlement.failure),
    votes: appendVote(target.votes, cast),
    evaluations: appendVote(target.evaluations, evaluation),
    voters: JSON.stringify(vote.voters ?? []),
  })
  const changes = settlement.changes ?? noChanges(chartersOf(context))
  const audience = audienceOf(compiled.charter)
  // The answer is for the proposer only, who may settle the activity with a further proof.
  const { answer } = first.userId === userId ? settlement : {}
  return {
    kind: 'commit',
    unit: { ...changes, activity: { row, replaces: target.revision, audience } },
    ...stamperOf(identity),
    ...(answer === undefined ? {} : { answer }),
  }
}
