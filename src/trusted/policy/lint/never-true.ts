import type { Tree } from '../tree.ts'
import { placeOf, type Rule } from './finding.ts'
import { canBe, evaluateAbstractly } from './evaluate-abstractly.ts'

/**
 * A condition that is true of nothing that policies are asked about: a kind that does not exist, or things that never
 * come together.
 */
export const neverTrue: Rule = (read, { abstractRequests }) => {
  const { condition } = read.trees
  if (
    condition === undefined ||
    abstractRequests.some(({ facts }) => canBe(true, evaluateAbstractly(condition, facts)))
  )
    return []
  const isPossible = (part: Tree): boolean =>
    abstractRequests.some(({ facts }) => canBe(true, evaluateAbstractly(part, facts)))
  const parts = condition.kind === 'and' ? condition.parts : [condition]
  const culprit = parts.find((part) => !isPossible(part)) ?? condition
  // A DENY policy that fails denies, and each part of the condition is evaluated.
  const effect =
    read.policy.effect === 'EFFECT_ALLOW'
      ? 'The policy never allows'
      : 'The policy denies nothing, except where its condition fails'
  const why =
    culprit === condition && condition.kind === 'and'
      ? 'no activity has all that it names'
      : 'it is true of no activity that policies decide about'
  return [
    {
      severity: 'warning',
      what: 'neverTrue',
      why: `${effect}: ${why}.`,
      place: placeOf(read, 'condition', culprit.span),
    },
  ]
}
