import { mistakeIn } from './check-terms.ts'
import { completionsAt } from './completions.ts'
import { sentenceOf } from './sentence.ts'

/** The language of policies, in a file of its own: only this screen loads it. */
export const language = { mistakeIn, completionsAt, sentenceOf } as const
