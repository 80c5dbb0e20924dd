import { sentencesText } from './agent-text.ts'
import type { StoredPolicy } from './organization.ts'
import { sentenceIn } from './policy-notes.ts'

/** The policies of an agent in plain sentences, denials first, with a note on each whose sentence is no longer true. */
export function agentSentences(policies: readonly StoredPolicy[]): readonly string[] {
  return sentencesText(
    [...policies].sort(denialsFirst).map((policy) => ({
      effect: policy.effect,
      sentence:
        sentenceIn(policy) ?? `${policy.policyName}: written or changed by hand, so only its text is valid.`,
    })),
  )
}

/** For `sort`. */
export function denialsFirst(a: { readonly effect: string }, b: { readonly effect: string }): number {
  return Number(a.effect === 'EFFECT_ALLOW') - Number(b.effect === 'EFFECT_ALLOW')
}
