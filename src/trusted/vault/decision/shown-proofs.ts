import type { Facts } from '../../policy/types.ts'
import type { RequestContext } from '../authentication/request-context.ts'
import type { CompiledCharter } from '../charters/compiled-charter.ts'
import { approvalOf } from '../charters/holders.ts'
import { attestationNotFound } from '../failures.ts'
import type { Vote } from '../records/votes.ts'
import { isSameProof } from '../seals/proof.ts'
import type { Approved } from './authorize.ts'
import { acceptedVotes, countedApprovals, isAccepted, lapsedApprovals } from './counted-votes.ts'
import { mfaNote, type MfaNote } from './mfa.ts'
import { provenApprovals, type ProvenVote } from './proven-approvals.ts'

/** What this vote and the earlier ones show together. */
type ShownProofs = {
  /** The earlier votes that are proven again, the voter's own among them. */
  readonly earlier: readonly ProvenVote[]
  readonly approved: Omit<Approved, 'usage'>
  /** What an MFA policy asks of the voter, with this vote. */
  readonly mfa: MfaNote | undefined
  /** An MFA policy asked the voter for more before this vote. */
  readonly wasUnproven: boolean
  /** Neither a consensus nor an MFA policy could ask for this vote beside the voter's earlier ones. */
  readonly addsNothing: boolean
}

/**
 * @param votes  all earlier ones
 * @throws       Failure `attestationNotFound`, where the vote is by a code that serves for no such request
 */
export async function shownProofs(
  { vaultContext, identity, now, work }: RequestContext,
  { votes, governing }: { readonly votes: readonly Vote[]; readonly governing: CompiledCharter },
  facts: readonly Facts[],
): Promise<ShownProofs> {
  const { user, method } = identity
  const proven = await provenApprovals(governing, votes, { service: vaultContext.service, now, work })
  if (!(await work.through(isAccepted({ user, method }, proven, facts, governing))))
    throw attestationNotFound({ organizationId: governing.charter.organizationId })
  const earlier = await work.through(acceptedVotes(proven, facts, governing))
  const isOwn = (vote: ProvenVote): boolean => vote.user.userId === user.userId
  const ownVotes = earlier.filter(isOwn)
  const otherVotes = earlier.filter((vote) => !isOwn(vote))
  const own = ownVotes.map((vote) => vote.method)
  const before = await work.through(mfaNote(user, facts, own, governing))
  const mfa = await work.through(mfaNote(user, facts, [...own, method], governing))
  const others = await work.through(countedApprovals(otherVotes, facts, governing))
  const counting = new Set(others)
  const unproven = otherVotes.map(({ approval }) => approval).filter((approval) => !counting.has(approval))
  const votesOfOthers = votes.filter(({ userId }) => userId !== user.userId)
  // What the voter has shown before counts too: a consensus may ask for exactly that credential. Nothing is carried out
  // before all proofs are present.
  const shown = ownVotes.map(({ approval }) => approval)
  const voter = approvalOf(user, [identity.credential])
  const wasUnproven = before?.satisfied === false
  // With another credential, a second vote may be the one that a consensus asks for, or the proof that an MFA policy
  // still needs.
  const isEachAsked = wasUnproven || asksForCredentials(governing)
  return {
    earlier,
    approved: {
      approvals: [...others, ...shown, voter],
      outstanding: [...unproven, ...lapsedApprovals(governing, votesOfOthers, now)],
      voter,
    },
    mfa,
    wasUnproven,
    addsNothing: isEachAsked ? own.some((proof) => isSameProof(proof, method)) : own.length > 0,
  }
}

function asksForCredentials({ policies }: CompiledCharter): boolean {
  return policies.some(({ consensus }) => consensus?.namesCredentials === true)
}
