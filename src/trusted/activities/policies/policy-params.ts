import { label, object, oneOf, optional, otherwise, text, type TypeOf } from '../../catalogue/shape.ts'
import type { Policy } from '../../charter/charter.ts'
import { SOURCE_LENGTH_MAX } from '../../policy/limits.ts'

export const effect = oneOf(['EFFECT_ALLOW', 'EFFECT_DENY'])

/** Enough for the reason of a policy, and short enough that a hundred of them keep a charter small. */
const NOTES_CHARACTERS_MAX = 4_096
export const notes = text({ max: NOTES_CHARACTERS_MAX })

/** The policy language has its own limit of length; this only bounds its input. */
export const expression = text({ max: 2 * SOURCE_LENGTH_MAX })

export const policyParams = object({
  policyName: label,
  effect,
  // A policy without a condition applies to every request, and without a consensus any user is enough. An empty text is
  // never meant like this, so it is refused.
  condition: optional(expression, 'emptyIsGiven'),
  consensus: optional(expression, 'emptyIsGiven'),
  notes: otherwise(notes, ''),
  time: optional(expression),
})

type PolicyParams = TypeOf<typeof policyParams>

/** A new policy as the charter holds it. */
export function newPolicy(params: PolicyParams, policyId: string, now: number): Policy {
  const { time, ...terms } = params
  return {
    ...terms,
    policyId,
    ...(time === undefined ? {} : { time }),
    createdAt: now,
    updatedAt: now,
  }
}
