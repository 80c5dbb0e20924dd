import { label, object, oneOf, optional, text, type TypeOf } from '../../catalogue/shape.ts'
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
  condition: optional(expression),
  consensus: optional(expression),
  notes,
  time: optional(expression),
})

export type PolicyParams = TypeOf<typeof policyParams>

/** A new policy as the charter holds it. An empty `time` means always, and is not kept. */
export function newPolicy(params: PolicyParams, policyId: string, now: number): Policy {
  const { time, ...terms } = params
  return {
    ...terms,
    policyId,
    ...(time === undefined || time === '' ? {} : { time }),
    createdAt: now,
    updatedAt: now,
  }
}
