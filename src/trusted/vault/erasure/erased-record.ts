import { present } from '../../base/assert.ts'
import type { Ms } from '../../base/world.ts'
import type { ActivitiesByType } from '../../catalogue/submission.ts'
import type { ActivityRow } from '../../catalogue/unit.ts'
import type { Keyring } from '../keys/keyring.ts'
import { type ErasedPerson, withoutPerson } from './personal-parts.ts'
import { erasedDigest, sealActivity } from '../seals/seals.ts'
import { votesOf } from '../records/votes.ts'

/** The parts of a record with content from people. The rest is ids, times, the kind of activity and its outcome. */
const PARTS = ['intent', 'result', 'failure', 'votes', 'evaluations', 'voters'] as const

/**
 * A record without content from people, resealed at its next revision. Its only evaluation has a digest of each erased
 * part, under a key of the vault, so that the content cannot be guessed.
 *
 * @param row  its seal was verified, as of each record in this file
 * @returns    null where it was erased before
 */
export function erasedRecord(keyring: Keyring, row: ActivityRow, now: Ms): ActivityRow | null {
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
      {
        voteId: row.activityId,
        createdAt: now,
        policyEvaluations: [],
        erased: { at: now, digests },
        ...erasedOfIn(row),
      },
    ]),
    voters: '[]',
  })
}

/**
 * A record of a living organization without the request in it: its votes keep the voter, the credential and the stamp,
 * and the fingerprint is the one that the stamp of the request signed.
 *
 * @returns null where it was erased before
 */
export function recordWithoutRequest(keyring: Keyring, row: ActivityRow, now: Ms): ActivityRow | null {
  if (wasErased(row)) return null
  const votes = votesOf(row.votes)
  const first = present(votes[0], 'the vote of its sender')
  const [judged, ...more] = evaluationsIn(row)
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

/**
 * A record without the data of one user. In its first evaluation it has, for each erased user, a digest of each erased
 * part under a key of the vault.
 *
 * @returns null where it has no data of that user
 */
export function recordWithoutUser(
  { keyring, types }: { readonly keyring: Keyring; readonly types: ActivitiesByType },
  row: ActivityRow,
  person: ErasedPerson,
  now: Ms,
): ActivityRow | null {
  const without = withoutPerson(row, person, types)
  if (without === undefined) return null
  const [judged, ...more] = evaluationsIn(row)
  const digests = Object.fromEntries(
    without.parts.map(({ part, text }) => [part, erasedDigest(keyring, row, part, text)]),
  )
  const erasedOf = [...(judged.erasedOf ?? []), { userId: person.userId, at: now, digests }]
  const { seal: _, ...before } = row
  return sealActivity(keyring, {
    ...before,
    ...without.said,
    revision: row.revision + 1,
    evaluations: JSON.stringify([{ ...judged, erasedOf }, ...more]),
  })
}

/** Whether parts of the record were erased: only the vault writes evaluations. */
export function wasErased(row: Pick<ActivityRow, 'evaluations'>): boolean {
  return row.evaluations.includes('"erased":') && evaluationsIn(row)[0].erased !== undefined
}

/** The users whose data was erased from it, and the times. */
function erasedOfIn(row: Pick<ActivityRow, 'evaluations'>): Pick<Evaluation, 'erasedOf'> {
  const { erasedOf } = evaluationsIn(row)[0]
  return erasedOf === undefined ? {} : { erasedOf }
}

type Evaluation = { readonly erased?: unknown; readonly erasedOf?: readonly unknown[] }

function evaluationsIn({
  evaluations,
}: Pick<ActivityRow, 'evaluations'>): readonly [Evaluation, ...(readonly Evaluation[])] {
  // Only a record whose seal was verified comes here. The vault wrote this list, with the judgement of the request
  // first.
  return JSON.parse(evaluations) as [Evaluation, ...Evaluation[]]
}
