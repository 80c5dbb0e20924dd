import { sentenceOf } from './sentence.ts'

/** The language of policies, in a file of its own: only this screen loads it. */
export const language = { sentenceOf } as const
