import { type ErrorBody, errorBody, Failure } from '../base/failure.ts'
import { utf8 } from '../base/bytes.ts'
import type { Work } from '../base/work.ts'
import { costs } from '../catalogue/costs.ts'
import type { RehearsalOutcome, RehearsedCase } from '../catalogue/rehearsal.ts'
import { readSubmission } from '../catalogue/submission.ts'
import { type Charter, userOf } from '../charter/charter.ts'
import { withoutPolicies, withPolicy } from '../charter/policies.ts'
import { checkPolicyTerms } from '../policy/compile-policy.ts'
import { standingsOf } from './decide.ts'
import { factsOf, preparedOf } from './facts.ts'
import type { Judge } from './hearing.ts'
import { judgement } from './judgement.ts'
import { openRows } from './open-rows.ts'
import type { MeterId, RehearseRequest } from './protocol.ts'
import { type Books, booksOf, type Side } from './rehearsal-usage.ts'
import { stand, type Standing } from './standing.ts'
import { usageAt, usesOf } from './usage.ts'

export type Rehearsed =
  | ({ readonly kind: 'rehearsed' } & RehearsalOutcome)
  | { readonly kind: 'refused'; readonly error: ErrorBody }
  | { readonly kind: 'needs'; readonly charters: readonly string[] }
  | MetersNeeded

type MetersNeeded = { readonly kind: 'meters'; readonly ids: readonly MeterId[] }

/** Judges by the very code that decides, and carries nothing out. */
export async function rehearse(judge: Judge, request: RehearseRequest, work: Work): Promise<Rehearsed> {
  work.charge(costs.request)
  const { standings, missing } = standingsOf(judge, request.organizationId, request.charters)
  if (standings === undefined) return { kind: 'needs', charters: missing }
  try {
    const drafted = request.draft === undefined ? undefined : draftedStanding(judge, standings.own, request)
    const books = booksOf(judge, request)
    const means = { judge, courts: { ...standings, drafted }, books, explain: request.explain }
    const cases: RehearsedCase[] = []
    for (const one of request.cases) {
      const answer = rehearsed(means, one)
      if (answer.kind === 'meters') return answer
      cases.push(answer)
    }
    const used = books.soFar()
    return { kind: 'rehearsed', cases, ...(used === undefined ? {} : { used }) }
  } catch (error) {
    if (error instanceof Failure) return { kind: 'refused', error: errorBody(error) }
    throw error
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
}

function draftedStanding({ vocabulary }: Judge, { charter }: Standing, { draft }: RehearseRequest): Standing {
  const { put = [], remove = [] } = draft ?? {}
  for (const policy of put) checkPolicyTerms(policy, vocabulary)
  const kept: Charter = withoutPolicies(charter, remove)
  return stand(put.reduce(withPolicy, kept), vocabulary)
}

function rehearsed(
  { judge, courts, books, explain }: Means,
  one: RehearseRequest['cases'][number],
): RehearsedCase | MetersNeeded {
  try {
    const submission = readSubmission(utf8(one.body), judge.types)
    const { activity, newest } = submission
    activity.validate?.(newest, judge.vocabulary)
    const { organizationId } = courts.own.charter
    const rows = openRows(judge.keyring, organizationId, activity.needs?.(newest, undefined) ?? {}, one)
    try {
      const { approvers, at: now = judge.world.now() } = one
      const proposerId = approvers[0]?.userId ?? ''
      const isOfParent = courts.parent !== undefined && userOf(courts.own.charter, proposerId) === undefined
      const court = isOfParent ? courts.parent : courts.own
      const drafted = isOfParent ? undefined : courts.drafted
      const facts = factsOf(submission, rows, { prepared: preparedOf(submission, rows), proposerId })
      const uses = { now: usesOf(court, facts), draft: drafted === undefined ? [] : usesOf(drafted, facts) }
      const before = books.open([...uses.now, ...uses.draft], one)
      if ('missing' in before) return { kind: 'meters', ids: before.missing }
      const judged = (standing: Standing, side: Side) => {
        const answer = judgement(standing, {
          submission,
          facts,
          approvers,
          explain,
          now,
          usageAt: (at) => usageAt(at, uses[side], (use) => before(use, side)),
        })
        if (answer.decision === 'allow') books.count(side, uses[side], one)
        return answer
      }
      return {
        kind: 'judged',
        judgement: judged(court, 'now'),
        ...(drafted === undefined ? {} : { drafted: judged(drafted, 'draft') }),
      }
    } finally {
      rows.wipe()
    }
  } catch (error) {
    if (error instanceof Failure) return { kind: 'unclear', error: errorBody(error) }
    throw error
  }
}
