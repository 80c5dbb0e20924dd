import {
  boolean,
  int64,
  label,
  list,
  named,
  object,
  oneOf,
  optional,
  text,
  uuid,
} from '../../../trusted/catalogue/shape.ts'
import { AUTHENTICATION_TYPES } from '../../../trusted/charter/charter.ts'
import { times } from '../shapes.ts'

/** The shape of MFA policies in answers; `mfaPolicyView` makes them. */
const methodShape = named(
  'AuthenticationMethod',
  object({ type: oneOf(AUTHENTICATION_TYPES), id: optional(uuid) }),
)

const requiredShape = list(object({ any: list(methodShape, { max: 100 }) }), { max: 100 })

export const mfaPolicyShape = named(
  'MfaPolicy',
  object({
    mfaPolicyId: uuid,
    mfaPolicyName: label,
    condition: text({ max: 65_536 }),
    requiredAuthenticationMethods: requiredShape,
    order: int64,
    notes: optional(text({ max: 65_536 })),
    ...times,
  }),
)

export const mfaStatusShape = named(
  'MfaStatus',
  object({
    mfaPolicyId: uuid,
    userId: uuid,
    satisfied: boolean,
    satisfiedMethods: list(methodShape, { max: 100 }),
    requiredMethods: requiredShape,
  }),
)
