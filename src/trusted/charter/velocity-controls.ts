import { costs } from '../base/costs.ts'
import { defineFailure, Failure, FAILED_PRECONDITION, INVALID_ARGUMENT, NOT_FOUND } from '../base/failure.ts'
import type { Steps, Units } from '../base/work.ts'
import type { Ms } from '../base/world.ts'
import { type Controls, controlsIn } from '../policy/controls.ts'
import { parse } from '../policy/parse.ts'
import type { Charter, VelocityControl } from './charter.ts'
import { limits, tooMany } from './limits.ts'

export const velocityControlNotFound = defineFailure<{
  readonly velocityControlId: string
  readonly organizationId: string
}>({
  kind: 'velocityControlNotFound',
  code: NOT_FOUND,
  say: ({ velocityControlId, organizationId }) =>
    `unable to find velocity control ${velocityControlId} in organization ${organizationId}`,
})

export const controlIdentifierTaken = defineFailure<{ readonly identifier: string }>({
  kind: 'controlIdentifierTaken',
  code: INVALID_ARGUMENT,
  say: ({ identifier }) =>
    `velocity control identifier must be unique: there is a control ${JSON.stringify(identifier)} already`,
})

export const velocityControlInUse = defineFailure<{
  readonly identifier: string
  readonly policyName: string
}>({
  kind: 'velocityControlInUse',
  code: FAILED_PRECONDITION,
  say: ({ identifier, policyName }) =>
    `velocity control ${JSON.stringify(identifier)} is named by policy ${JSON.stringify(policyName)}: change or delete the policy first`,
})

export const controlNotFound = defineFailure<{ readonly identifier: string }>({
  kind: 'controlNotFound',
  code: INVALID_ARGUMENT,
  say: ({ identifier }) =>
    `invalid policy condition: there is no velocity control ${JSON.stringify(identifier)}: create it first`,
})

export const controlNewerThanRequest = defineFailure<{ readonly identifier: string }>({
  kind: 'controlNewerThanRequest',
  code: FAILED_PRECONDITION,
  say: ({ identifier }) =>
    `velocity control ${JSON.stringify(identifier)} is newer than this request: look at it, and send the request again`,
})

export function knownVelocityControl(charter: Charter, velocityControlId: string): VelocityControl {
  const control = charter.velocityControls.find(
    (velocityControl) => velocityControl.velocityControlId === velocityControlId,
  )
  if (control === undefined)
    throw velocityControlNotFound({ velocityControlId, organizationId: charter.organizationId })
  return control
}

export function withVelocityControl(charter: Charter, control: VelocityControl): Charter {
  const { identifier } = control
  const others = charter.velocityControls
  if (others.some((other) => other.identifier === identifier)) throw controlIdentifierTaken({ identifier })
  if (others.length + 1 > limits.velocityControls)
    throw tooMany({ what: 'velocity controls', max: limits.velocityControls })
  return { ...charter, velocityControls: [...others, control] }
}

/**
 * A policy without the control that it names would fail: an ALLOW would not allow, and a DENY would deny everything.
 */
export function* withoutVelocityControl(charter: Charter, velocityControlId: string): Steps<Charter> {
  const gone = knownVelocityControl(charter, velocityControlId)
  const { identifier } = gone
  for (const { condition, policyName } of charter.policies) {
    yield costOfControls(condition)
    if (controlsOf(condition).includes(identifier)) throw velocityControlInUse({ identifier, policyName })
  }
  return {
    ...charter,
    velocityControls: charter.velocityControls.filter((velocityControl) => velocityControl !== gone),
  }
}

/**
 * Refuses a condition that names a control which is not there, or one that was made while the request waited: a user
 * who may only make controls could put another one under the name on which people agree.
 *
 * @param waitedSince  the time of the request, where it has waited
 */
export function checkControls(
  charter: Charter,
  condition: string | undefined,
  waitedSince: Ms | undefined,
): void {
  const known = new Map(charter.velocityControls.map((control) => [control.identifier, control]))
  for (const identifier of controlsOf(condition)) {
    const control = known.get(identifier)
    if (control === undefined) throw controlNotFound({ identifier })
    // Of two times within one millisecond nobody knows which was first.
    if (waitedSince !== undefined && control.createdAt >= waitedSince)
      throw controlNewerThanRequest({ identifier })
  }
}

/** The meaning of each control of an organization. */
export function controlsFor({ velocityControls }: Pick<Charter, 'velocityControls'>): Controls {
  const texts = new Map(velocityControls.map(({ identifier, expression }) => [identifier, expression]))
  return (identifier) => texts.get(identifier)
}

/** The cost of finding the controls that a condition names. */
export function costOfControls(condition: string | undefined): Units {
  return mayNameControls(condition) ? condition.length * costs.parsedCharacter : 0
}

function mayNameControls(condition: string | undefined): condition is string {
  return condition?.includes('controls') === true
}

function controlsOf(condition: string | undefined): readonly string[] {
  if (!mayNameControls(condition)) return []
  try {
    return controlsIn(parse(condition))
  } catch (error) {
    // A condition that cannot be read names no control, and fails with any controls.
    if (error instanceof Failure) return []
    throw error
  }
}
