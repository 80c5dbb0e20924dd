import { type Facts, struct, timestamp, type Vocabulary } from './types.ts'

/** All keywords of the time of a policy. */
export const timeVocabulary: Vocabulary = { time: struct({ now: timestamp }) }

/** @param now  milliseconds since the Unix epoch; one for the whole decision */
export function timeFacts(now: number): Facts {
  return { time: { now: BigInt(now) } }
}
