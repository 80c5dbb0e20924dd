import type { Ms } from '../../base/world.ts'
import { REQUEST_COST_MAX, type Work } from '../../base/work.ts'
import { type Approved, authorize, type Case } from './authorize.ts'
import { earlierUsage } from '../usage/usage.ts'
import type { OpenedMeters } from '../usage/usage-meters.ts'
import type { LimitReached, Verdict } from './verdict.ts'

/**
 * Whether limits alone refuse a request. The request is evaluated again as if earlier usage had left its window: first
 * with all usage gone, then with a binary search for the earliest instant at which the limit has room. The remaining
 * budget of an expensive request may end the search early, with a later instant as the result; a refusal stays a
 * refusal.
 *
 * @returns  undefined where it would be refused without any usage too, or the budget is too low to find out
 */
export async function limitReached(
  subject: Case,
  approved: Approved & { readonly usage: OpenedMeters },
  denied: Extract<Verdict, { kind: 'deny' }>,
  work: Work,
): Promise<LimitReached | undefined> {
  const meters = approved.usage
  const judgedAt = async (instant: Ms) => ({
    instant,
    verdict: await authorize(
      subject,
      {
        ...approved,
        usage: { usageAt: earlierUsage(meters.uses, (use) => meters.beforeAt(use, instant)) },
      },
      work,
    ),
  })
  let instants = meters.departures()
  const last = instants.at(-1)
  // The cost so far includes one evaluation. As much is reserved for the record.
  const reserve = 2 * (REQUEST_COST_MAX - work.left)
  if (last === undefined || work.left < reserve) return undefined
  let room = await judgedAt(last)
  if (room.verdict.kind === 'deny') return undefined
  while (instants.length > 1 && work.left >= reserve) {
    const half = instants.slice(0, Math.floor(instants.length / 2))
    const middle = await judgedAt(half.at(-1) ?? last)
    const isEarlyEnough = middle.verdict.kind !== 'deny'
    if (isEarlyEnough) room = middle
    instants = isEarlyEnough ? half : instants.slice(half.length)
  }
  return { policyIds: limiting(subject, denied, room.verdict), roomFrom: room.instant }
}

/** The policies with a limit whose outcome changes once the limit has room. */
function limiting({ compiled }: Case, denied: Verdict, granted: Verdict): readonly string[] {
  const outcomeIn = ({ evaluations }: Verdict, policyId: string) =>
    evaluations.find((evaluation) => evaluation.policyId === policyId)?.outcome
  return compiled.policies
    .filter(({ condition }) => (condition?.meters ?? []).length > 0)
    .map(({ policyId }) => policyId)
    .filter((policyId) => outcomeIn(denied, policyId) !== outcomeIn(granted, policyId))
}
