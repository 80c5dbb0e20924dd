import { errorBody, Failure } from '../../base/failure.ts'
import { requestTooCostly, type Work } from '../../base/work.ts'
import { costs } from '../../base/costs.ts'
import type { RehearsedCase } from '../../catalogue/rehearsal.ts'
import { readSubmission } from '../../catalogue/submission.ts'
import type { Charter } from '../../charter/charter.ts'
import { withoutPolicies, withPolicies } from '../../charter/policies.ts'
import { checkSteps } from '../../policy/compile-policy.ts'
import { DRAFT_PARTS_MAX } from '../../policy/limits.ts'
import { compiledChartersOf, type OwnAndParent } from '../charters/compiled-charters-of.ts'
import { draftTooLarge, organizationMismatch, voteWithoutRequest } from '../failures.ts'
import { governingCharter } from '../authentication/request-context.ts'
import type { VaultContext } from '../vault-context.ts'
import { judgement, judgementFromTheStart } from './judgement.ts'
import { judgedBy, openCase, type OpenedCase, openedRows } from './open-case.ts'
import { outdated } from '../memory/rollback-guard.ts'
import type { MetersNeeded, Rehearsed, RehearseRequest } from '../../../protocol/vault.ts'
import { type ReplayTotals, replayTotalsOf, type Side } from '../usage/rehearsal-usage.ts'
import { type CompiledCharter, compileCharter } from '../charters/compiled-charter.ts'
import { earlierUsage } from '../usage/usage.ts'

/** Judges with the code of real decisions, without carrying anything out. */
export async function rehearse(
  vaultContext: VaultContext,
  request: RehearseRequest,
  work: Work,
): Promise<Rehearsed> {
  work.charge(costs.request)
  try {
    const now = vaultContext.world.now()
    const charters = await compiledChartersOf(vaultContext, request.organizationId, request.charters, {
      work,
      now,
    })
    if (charters.kind === 'needs') return charters
    const drafted =
      request.draft === undefined ? undefined : await compiledDraft(vaultContext, charters.own, request, work)
    const totals = replayTotalsOf(vaultContext, request)
    const means = {
      vaultContext,
      charters: { ...charters, drafted },
      totals,
      judge: request.usage === 'metered' ? judgement : judgementFromTheStart,
      explain: request.explain,
      isAlone: request.cases.length === 1,
      work,
    }
    const cases: RehearsedCase[] = []
    for (const item of request.cases) {
      const answer = await rehearsed(means, item)
      if (answer.kind === 'meters') return answer
      cases.push(answer)
    }
    const used = totals.soFar()
    return { kind: 'rehearsed', cases, ...(used === undefined ? {} : { used }) }
  } catch (error) {
    if (error instanceof Failure) return { kind: 'refused', error: errorBody(error) }
    return outdated(error)
  }
}

type Means = {
  readonly vaultContext: VaultContext
  readonly charters: OwnAndParent & { readonly drafted: CompiledCharter | undefined }
  readonly totals: ReplayTotals
  /** A replay begins with each request, and any other rehearsal with the approvals that it is given. */
  readonly judge: typeof judgement
  readonly explain: boolean
  /** Whether there is no other case, which could have used up the work. */
  readonly isAlone: boolean
  readonly work: Work
}

async function compiledDraft(
  { vocabulary }: VaultContext,
  own: CompiledCharter,
  { draft }: RehearseRequest,
  work: Work,
): Promise<CompiledCharter> {
  const { put = [], remove = [] } = draft ?? {}
  const parts = await work.through(checkSteps(put, vocabulary))
  if (parts > DRAFT_PARTS_MAX) throw draftTooLarge({ parts, max: DRAFT_PARTS_MAX })
  const kept: Charter = withoutPolicies(own.charter, remove)
  const drafted = await work.through(withPolicies(kept, put, undefined))
  return await work.through(compileCharter(drafted, vocabulary, { earlier: own }))
}

async function rehearsed(
  { vaultContext, charters, totals, judge, explain, isAlone, work }: Means,
  item: RehearseRequest['cases'][number],
): Promise<RehearsedCase | MetersNeeded> {
  work.charge(costs.request + item.body.length * costs.bodyCharacter)
  await work.pause()
  try {
    const { organizationId } = charters.own.charter
    const submission = { ...readSubmission(item.body, vaultContext.types), organizationId }
    const { activity, newest } = submission
    if (activity.vote !== undefined) throw voteWithoutRequest()
    const { approvers, at: now = vaultContext.world.now() } = item
    const proposerId = approvers[0]?.userId ?? ''
    const governing = governingCharter({ compiled: charters.own, parent: charters.parent }, [proposerId])
    const isOfParent = governing !== charters.own
    if (isOfParent && activity.parentMay !== true)
      throw organizationMismatch({ target: organizationId, voter: governing.charter.organizationId })
    await activity.validate?.(newest, vaultContext.vocabulary, work)
    const rows = await openedRows(
      vaultContext,
      { submission, tokenId: undefined, brought: item, now: vaultContext.world.now() },
      work,
    )
    try {
      const draft = isOfParent ? undefined : charters.drafted
      const opened = await openCase({ submission, rows, proposerId, compiled: governing, now }, work)
      const drafted = draft === undefined ? undefined : await judgedBy(draft, opened, work)
      const before = await totals.open([...opened.uses, ...(drafted?.uses ?? [])], item, work)
      if ('kind' in before) return before
      const judged = async (subject: OpenedCase, side: Side) => {
        const { uses } = subject
        const usage = { usageAt: earlierUsage(uses, (use) => before(use, side)) }
        const answer = await judge(subject, { approvers, explain, usage }, work)
        if (answer.decision === 'allow') totals.count(side, uses, item)
        return answer
      }
      return {
        kind: 'judged',
        judgement: await judged(opened, 'now'),
        ...(drafted === undefined ? {} : { drafted: await judged(drafted, 'draft') }),
      }
    } finally {
      rows.wipe()
    }
  } catch (error) {
    if (!(error instanceof Failure) || (error.kind === requestTooCostly.kind && !isAlone)) throw error
    return { kind: 'unclear', error: errorBody(error) }
  }
}
