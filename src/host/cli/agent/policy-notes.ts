import { hash } from 'node:crypto'
import type { AgentPolicy } from './policy-parts.ts'

/** The sentence and a digest of its policy's text, so that a sentence that is no longer true is detected. */
export function notesOf(policy: AgentPolicy): string {
  return `${policy.sentence}\n${digestOf(policy)}`
}

/**
 * The stored sentence of a policy; undefined if there is none, or the policy was changed afterwards. No policy of an
 * agent is made with a time, outside of which it would neither deny nor allow.
 */
export function sentenceIn(stored: {
  readonly effect: string
  readonly condition?: string
  readonly consensus?: string
  readonly time?: string
  readonly notes: string
}): string | undefined {
  const [sentence = '', digest, ...more] = stored.notes.split('\n')
  const isUnchanged = digest === digestOf(stored) && (stored.time ?? '') === ''
  return isUnchanged && more.length === 0 ? sentence : undefined
}

function digestOf(policy: {
  readonly effect: string
  readonly condition?: string
  readonly consensus?: string
}): string {
  const { effect, condition = '', consensus = '' } = policy
  return `text ${hash('sha256', JSON.stringify([effect, condition, consensus])).slice(0, 16)}`
}
