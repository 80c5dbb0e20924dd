import { label, object, oneOf, optional, otherwise, text, type TypeOf } from '../../catalogue/shape.ts'
import type { Policy } from '../../charter/charter.ts'
import { SOURCE_LENGTH_MAX } from '../../policy/limits.ts'

export const effect = oneOf(['EFFECT_ALLOW', 'EFFECT_DENY'])

/** Room for the reason behind a policy, and small enough that a hundred of them leave a charter small. */
const NOTES_CHARACTERS_MAX = 4_096
export const notes = text({ max: NOTES_CHARACTERS_MAX })

/** How long an expression may be is said by the policy language; this only bounds what is handed to it. */
export const expression = text({ max: 2 * SOURCE_LENGTH_MAX })

export const policyParams = object({
  policyName: label,
  effect,
  // Without a condition it is about everything, and without a consensus anybody is enough: nobody means that by an empty text.
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
