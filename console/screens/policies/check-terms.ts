import { Failure } from '../../../src/trusted/base/failure.ts'
import { checkPolicyTerms } from '../../../src/trusted/policy/compile-policy.ts'
import type { Part } from './completions.ts'
import { KNOWN_VOCABULARY } from './known-vocabulary.ts'

/** What is wrong with one part of a policy, by the very code that the service refuses it with. */
type Mistake = {
  readonly message: string
  /** The place in the text, where the message names one. */
  readonly start?: number
  readonly end?: number
}

export function mistakeIn(part: Part, text: string): Mistake | undefined {
  if (text === '') return undefined
  try {
    checkPolicyTerms({ [part]: text }, KNOWN_VOCABULARY)
    return undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const [, start, end] = /\(at (\d+):(\d+)\)/.exec(error.message) ?? []
    const message = error.message.replace(/^.*Expression cannot be evaluated: /, '')
    return start === undefined || end === undefined
      ? { message }
      : { message, start: Number(start), end: Number(end) }
  }
}
