import { Bug } from '../../base/assert.ts'
import { object, text } from '../../catalogue/shape.ts'

/** A vote names its activity by the fingerprint; for any other text, no activity is found. */
export const voteParams = object({ fingerprint: text({ min: 1, max: 128 }) })

/** A vote has no result of its own: the answer is the activity that was voted on. */
export const noResult = object({})

export function neverCarriedOut(): never {
  throw new Bug('a vote is counted, not carried out')
}

export const exampleFingerprint = 'sha256:5f78c33274e43fa9de5659265c1d917e25c03722dcb0b8d27db8d5feaa813953'
