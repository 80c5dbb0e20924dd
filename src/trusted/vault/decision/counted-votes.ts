import type { Steps } from '../../base/work.ts'
import type { ActivityRow } from '../../catalogue/unit.ts'
import { userOf } from '../../charter/charter.ts'
import type { Approval } from '../../policy/people.ts'
import type { Facts } from '../../policy/types.ts'
import { isCode } from '../authentication/attested.ts'
import type { CompiledCharter } from '../charters/compiled-charter.ts'
import { renewable } from '../charters/holders.ts'
import { isFresh, type Vote } from '../records/votes.ts'
import type { Case } from './authorize.ts'
import { askedFor, mfaNote } from './mfa.ts'
import type { ProvenVote } from './proven-approvals.ts'

/**
 * The votes by proofs that are accepted for this request now: the MFA policy that a code was a step of may have been
 * changed since, and the code would then be an approval by itself.
 */
export function* acceptedVotes(
  votes: readonly ProvenVote[],
  facts: readonly Facts[],
  governing: CompiledCharter,
): Steps<readonly ProvenVote[]> {
  const accepted: ProvenVote[] = []
  for (const vote of votes) if (yield* isAccepted(vote, votes, facts, governing)) accepted.push(vote)
  return accepted
}

/**
 * In an organization without a parent a code serves only where MFA policies of its user are about each part of the
 * request, and ask for codes. A factor that was added for some requests is no way to approve the others with it alone,
 * nor other parts of the same request. These are approved by another proof of the user, if there is one.
 *
 * @param votes  all that have been proven
 */
export function* isAccepted(
  { user, method }: Pick<ProvenVote, 'user' | 'method'>,
  votes: readonly ProvenVote[],
  facts: readonly Facts[],
  governing: CompiledCharter,
): Steps<boolean> {
  if (governing.charter.parentId !== null || !isCode(method)) return true
  const { isStep, isOfEach } = yield* askedFor(user, facts, method, governing)
  const isBeside = votes.some((vote) => vote.user.userId === user.userId && !isCode(vote.method))
  return isStep && (isOfEach || isBeside)
}

/** The approvals of the users who satisfy their own MFA policies. */
export function* countedApprovals(
  votes: readonly ProvenVote[],
  facts: readonly Facts[],
  governing: CompiledCharter,
): Steps<readonly Approval[]> {
  const counted: Approval[] = []
  for (const { user, approval } of votes) {
    const proofs = votes.filter((vote) => vote.user.userId === user.userId).map(({ method }) => method)
    const note = yield* mfaNote(user, facts, proofs, governing)
    if (note?.satisfied !== false) counted.push(approval)
  }
  return counted
}

/** The approvals that lapsed and may be renewed. */
export function lapsedApprovals(
  { charter }: CompiledCharter,
  votes: readonly Vote[],
  now: number,
): readonly Approval[] {
  const lapsed = votes.filter((cast) => cast.selection === 'VOTE_SELECTION_APPROVED' && !isFresh(cast, now))
  return renewable(
    charter,
    lapsed.map(({ userId }) => userId),
  )
}

/**
 * The status of an activity that can only be about its sender, a login or another session of their own, until the
 * sender approves it: with what an MFA policy asks for, and with a credential that they still have. Otherwise the thief
 * of one credential would be let in by anybody who may vote, also after the credential was deleted.
 */
export function* owedBySender(
  { activity, intent, facts, compiled, proposerId }: Case,
  earlier: readonly ProvenVote[],
): Steps<ActivityRow['status'] | undefined> {
  const { authority } = activity
  const isOfSender = authority.kind === 'ownCredentials' && authority.owner(intent) === undefined
  const sender = userOf(compiled.charter, proposerId)
  if (!isOfSender || sender === undefined) return undefined
  const proofs = earlier.filter(({ user }) => user.userId === proposerId).map(({ method }) => method)
  if (proofs.length === 0) return 'ACTIVITY_STATUS_CONSENSUS_NEEDED'
  const note = yield* mfaNote(sender, facts, proofs, compiled)
  return note?.satisfied === false ? 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED' : undefined
}
