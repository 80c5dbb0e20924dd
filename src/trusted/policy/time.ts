import { type Facts, struct, timestamp, type Vocabulary } from './types.ts'

/** What the time of a policy may name, and nothing else. */
export const timeVocabulary: Vocabulary = { time: struct({ now: timestamp }) }

/** @param now  milliseconds since the Unix epoch; one for the whole decision */
export function timeFacts(now: number): Facts {
  return { time: { now: BigInt(now) } }
}
