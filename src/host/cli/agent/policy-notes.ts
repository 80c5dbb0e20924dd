import { hash } from 'node:crypto'
import type { AgentPolicy } from './policy-parts.ts'

/** The sentence and a digest of the text that it is about, so that a sentence which is no longer true is found out. */
export function notesOf(policy: AgentPolicy): string {
  return `${policy.sentence}\n${digestOf(policy)}`
}

/** The sentence of a policy as it is stored; undefined where there is none, or the policy was changed under it. */
export function sentenceIn(stored: {
  readonly effect: string
  readonly condition?: string
  readonly consensus?: string
  readonly notes: string
}): string | undefined {
  const [sentence = '', digest, ...more] = stored.notes.split('\n')
  return digest === digestOf(stored) && more.length === 0 ? sentence : undefined
}

function digestOf(policy: {
  readonly effect: string
  readonly condition?: string
  readonly consensus?: string
}): string {
  const { effect, condition = '', consensus = '' } = policy
  return `text ${hash('sha256', JSON.stringify([effect, condition, consensus])).slice(0, 16)}`
}
