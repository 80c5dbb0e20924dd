import type { Ms } from '../base/world.ts'
import type { Work } from '../base/work.ts'
import { type Approved, authorize, type Case } from './authorize.ts'
import { usageAt } from './usage.ts'
import type { OpenedMeters } from './usage-meters.ts'
import type { LimitReached, Verdict } from './verdict.ts'

/**
 * Whether a request is refused by limits alone. It is judged again as if what was used had left its window, with everything gone
 * first, and then by halves towards the earliest instant at which there is room: a handful of times. Where judging is dear, what is
 * left of the request's budget ends that sooner, and a later instant is told: a refusal stays a refusal.
 *
 * @returns  undefined where it would be refused with nothing used, too, and where too little is left to find that out
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
        usage: { usageAt: (at) => usageAt(at, meters.uses, (use) => meters.beforeAt(use, instant)) },
      },
      work,
    ),
  })
  let instants = meters.departures()
  const last = instants.at(-1)
  // What it has cost so far has judging it in it. As much is left for its record.
  const reserve = 2 * work.spent
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

/** Those with a limit that say otherwise once there is room. */
function limiting({ compiled }: Case, denied: Verdict, granted: Verdict): readonly string[] {
  const outcomeIn = ({ evaluations }: Verdict, policyId: string) =>
    evaluations.find((evaluation) => evaluation.policyId === policyId)?.outcome
  return compiled.policies
    .filter(({ condition }) => (condition?.meters ?? []).length > 0)
    .map(({ policyId }) => policyId)
    .filter((policyId) => outcomeIn(denied, policyId) !== outcomeIn(granted, policyId))
}
