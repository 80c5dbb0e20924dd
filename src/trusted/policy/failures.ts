import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'
import type { Span } from './tokens.ts'

/** The texts up to and including the name or place are those that published clients know; keep them to the letter. */
export const expressionInvalid = defineFailure<{ reason: string }>({
  kind: 'expressionInvalid',
  code: INVALID_ARGUMENT,
  say: ({ reason }) => `Expression cannot be evaluated: ${reason}`,
})

/** `reason` is the message of an `expressionInvalid`. */
export const policyConditionInvalid = defineFailure<{ reason: string }>({
  kind: 'policyConditionInvalid',
  code: INVALID_ARGUMENT,
  say: ({ reason }) => `invalid policy condition: ${reason}`,
})

/** `reason` is the message of an `expressionInvalid`. */
export const policyConsensusInvalid = defineFailure<{ reason: string }>({
  kind: 'policyConsensusInvalid',
  code: INVALID_ARGUMENT,
  say: ({ reason }) => `invalid policy consensus: ${reason}`,
})

/** `reason` is the message of an `expressionInvalid`. */
export const policyTimeInvalid = defineFailure<{ reason: string }>({
  kind: 'policyTimeInvalid',
  code: INVALID_ARGUMENT,
  say: ({ reason }) => `invalid policy time: ${reason}`,
})

/** Offsets count UTF-16 code units from the start of the expression; the end is exclusive. */
export function offsets(span: Span): string {
  return `${span.start}:${span.end}`
}

/** Text of the caller inside a message: never more than a line of it. */
export function excerpt(text: string): string {
  return text.length <= EXCERPT_MAX ? text : `${text.slice(0, EXCERPT_MAX)}…`
}

const EXCERPT_MAX = 64
