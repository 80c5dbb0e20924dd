import { errorBody, Failure } from '../base/failure.ts'
import { utf8 } from '../base/bytes.ts'
import type { Work } from '../base/work.ts'
import { costs } from '../base/costs.ts'
import type { RehearsedCase } from '../catalogue/rehearsal.ts'
import { readSubmission } from '../catalogue/submission.ts'
import { type Charter, userOf } from '../charter/charter.ts'
import { withoutPolicies, withPolicy } from '../charter/policies.ts'
import { checkSteps } from '../policy/compile-policy.ts'
import { standingsOf } from './decide.ts'
import { factsOf, preparedOf } from './facts.ts'
import type { Judge } from './hearing.ts'
import { judgement } from './judgement.ts'
import { openRows } from './open-rows.ts'
import { outdated } from './newest.ts'
import type { MetersNeeded, Rehearsed, RehearseRequest } from '../../protocol/vault.ts'
import { type Books, booksOf, type Side } from './rehearsal-usage.ts'
import { type Standing, standingSteps } from './standing.ts'
import { usageAt, usesOf } from './usage.ts'

/** Judges by the very code that decides, and carries nothing out. */
export async function rehearse(judge: Judge, request: RehearseRequest, work: Work): Promise<Rehearsed> {
  work.charge(costs.request)
  try {
    const { standings, missing } = await standingsOf(judge, request.organizationId, request.charters, {
      work,
      now: judge.world.now(),
    })
    if (standings === undefined) return { kind: 'needs', charters: missing }
    const drafted =
      request.draft === undefined ? undefined : await draftedStanding(judge, standings.own, request, work)
    const books = booksOf(judge, request)
    const means = { judge, courts: { ...standings, drafted }, books, explain: request.explain, work }
    const cases: RehearsedCase[] = []
    for (const one of request.cases) {
      const answer = await rehearsed(means, one)
      if (answer.kind === 'meters') return answer
      cases.push(answer)
    }
    const used = books.soFar()
    return { kind: 'rehearsed', cases, ...(used === undefined ? {} : { used }) }
  } catch (error) {
    if (error instanceof Failure) return { kind: 'refused', error: errorBody(error) }
    return outdated(error)
  }
}

type Means = {
  readonly judge: Judge
  readonly courts: {
    readonly own: Standing
    readonly parent: Standing | undefined
    readonly drafted: Standing | undefined
  }
  readonly books: Books
  readonly explain: boolean
  readonly work: Work
}

async function draftedStanding(
  { vocabulary }: Judge,
  own: Standing,
  { draft }: RehearseRequest,
  work: Work,
): Promise<Standing> {
  const { put = [], remove = [] } = draft ?? {}
  await work.through(checkSteps(put, vocabulary))
  const kept: Charter = withoutPolicies(own.charter, remove)
  return await work.through(standingSteps(put.reduce(withPolicy, kept), vocabulary, { earlier: own }))
}

async function rehearsed(
  { judge, courts, books, explain, work }: Means,
  one: RehearseRequest['cases'][number],
): Promise<RehearsedCase | MetersNeeded> {
  work.charge(costs.request + one.body.length * costs.bodyCharacter)
  await work.pause()
  try {
    const { organizationId } = courts.own.charter
    const submission = { ...readSubmission(utf8(one.body), judge.types), organizationId }
    const { activity, newest } = submission
    await activity.validate?.(newest, judge.vocabulary, work)
    const needs = activity.needs?.(newest, undefined) ?? {}
    const rows = await work.through(
      openRows(judge, organizationId, needs, { ...one, now: judge.world.now() }),
    )
    try {
      const { approvers, at: now = judge.world.now() } = one
      const proposerId = approvers[0]?.userId ?? ''
      const isOfParent = courts.parent !== undefined && userOf(courts.own.charter, proposerId) === undefined
      const court = isOfParent ? courts.parent : courts.own
      const drafted = isOfParent ? undefined : courts.drafted
      const prepared = await work.through(preparedOf(submission, rows))
      const facts = factsOf(submission, rows, { prepared, proposerId })
      const uses = {
        now: await work.through(usesOf(court, facts)),
        draft: drafted === undefined ? [] : await work.through(usesOf(drafted, facts)),
      }
      const before = books.open([...uses.now, ...uses.draft], one)
      if ('missing' in before) return { kind: 'meters', ids: before.missing }
      const judged = async (standing: Standing, side: Side) => {
        const usageOf = (at: number) => usageAt(at, uses[side], (use) => before(use, side))
        const by = { submission, facts, approvers, explain, now, usageAt: usageOf }
        const answer = await judgement(standing, by, work)
        if (answer.decision === 'allow') books.count(side, uses[side], one)
        return answer
      }
      return {
        kind: 'judged',
        judgement: await judged(court, 'now'),
        ...(drafted === undefined ? {} : { drafted: await judged(drafted, 'draft') }),
      }
    } finally {
      rows.wipe()
    }
  } catch (error) {
    if (error instanceof Failure) return { kind: 'unclear', error: errorBody(error) }
    throw error
  }
}
