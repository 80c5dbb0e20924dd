import type { Ms } from '../base/world.ts'
import type { ActivityRow } from '../catalogue/unit.ts'
import type { Keyring } from './keyring.ts'
import { checkActivity, erasedDigest, sealActivity } from './seals.ts'
import { votesOf } from './votes.ts'

/** What of a record people said. The rest is ids, times, and what kind of activity it was and how it ended. */
const PARTS = ['intent', 'result', 'failure', 'votes', 'evaluations', 'voters'] as const

/**
 * A record without anything that somebody said in it, sealed anew at its next revision. Its only evaluation has a digest of each part that
 * was erased, under a key of the vault, so that nobody can try guesses at what it was.
 *
 * @returns null where it was erased before
 * @throws  Tampered
 */
export function erasedRecord(keyring: Keyring, row: ActivityRow, now: Ms): ActivityRow | null {
  checkActivity(keyring, row)
  if (wasErased(row)) return null
  const digests = Object.fromEntries(
    PARTS.flatMap((part) => {
      const text = row[part]
      return text === null ? [] : [[part, erasedDigest(keyring, row, part, text)]]
    }),
  )
  const { seal: _, ...before } = row
  return sealActivity(keyring, {
    ...before,
    revision: row.revision + 1,
    intent: '{}',
    result: null,
    failure: null,
    votes: '[]',
    evaluations: JSON.stringify([
      { voteId: row.activityId, createdAt: now, policyEvaluations: [], erased: { at: now, digests } },
    ]),
    voters: '[]',
  })
}

/**
 * A record of a living organization without the request in it: its votes keep who voted, with which credential and which stamp, and the
 * fingerprint is what the stamp of the request was over.
 *
 * @returns null where it was erased before
 * @throws  Tampered
 */
export function recordWithoutRequest(keyring: Keyring, row: ActivityRow, now: Ms): ActivityRow | null {
  checkActivity(keyring, row)
  if (wasErased(row)) return null
  const votes = votesOf(row.votes)
  const [first] = votes
  const [judged, ...more] = evaluationsIn(row)
  if (first === undefined || judged === undefined) return null
  const digests = {
    intent: erasedDigest(keyring, row, 'intent', row.intent),
    message: erasedDigest(keyring, row, 'message', first.message),
  }
  const { seal: _, ...before } = row
  return sealActivity(keyring, {
    ...before,
    revision: row.revision + 1,
    intent: '{}',
    // Others may have voted by sending the same bytes.
    votes: JSON.stringify(
      votes.map((vote) => (vote.message === first.message ? { ...vote, message: '' } : vote)),
    ),
    evaluations: JSON.stringify([{ ...judged, erased: { at: now, digests } }, ...more]),
  })
}

/** Whether something of it was erased: the vault alone writes evaluations. */
export function wasErased(row: Pick<ActivityRow, 'evaluations'>): boolean {
  return row.evaluations.includes('"erased":') && evaluationsIn(row)[0]?.erased !== undefined
}

function evaluationsIn({
  evaluations,
}: Pick<ActivityRow, 'evaluations'>): readonly { readonly erased?: unknown }[] {
  // Only a record whose seal was verified comes here, and the vault wrote this list.
  return JSON.parse(evaluations) as readonly { readonly erased?: unknown }[]
}
