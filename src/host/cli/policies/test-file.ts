import { isJsonObject, type JsonValue } from '../../../trusted/base/strict-json.ts'
import {
  invalidField,
  list,
  object,
  oneOf,
  optional,
  refined,
  type Shape,
  shown,
  text,
  type TypeOf,
} from '../../../trusted/catalogue/shape.ts'
import { timestampOf } from '../../../trusted/policy/timestamp.ts'
import { organizationShape } from './outlined-organization.ts'

const name = text({ min: 1, max: 255 })

/** A note for readers; the command ignores it. */
const any: Shape<JsonValue> = {
  // A part of a file that was read as JSON is a JSON value.
  read: (value) => value as JsonValue,
  schema: {},
}

const approverShape = object({ user: name, credential: optional(name) })

/** A user by id or name, or with the credential of the approval. */
const approver: Shape<TypeOf<typeof approverShape>> = {
  read: (value, at, reading) =>
    typeof value === 'string'
      ? { user: name.read(value, at, reading) }
      : approverShape.read(value, at, reading),
  schema: {},
}

const OUTCOMES = [
  'OUTCOME_ALLOW',
  'OUTCOME_DENY_EXPLICIT',
  'OUTCOME_DENY_IMPLICIT',
  'OUTCOME_REQUIRES_CONSENSUS',
  'OUTCOME_ERROR',
  'OUTCOME_TIME_INACTIVE',
] as const

const outcome = oneOf(OUTCOMES)

const outcomes: Shape<{ readonly [policy: string]: (typeof OUTCOMES)[number] }> = {
  read: (value, at, reading) => {
    const given = any.read(value, at, reading)
    if (!isJsonObject(given))
      throw invalidField({ field: at, problem: `must be an object, not ${shown(given)}` })
    return Object.fromEntries(
      Object.entries(given).map(([policy, wanted]) => [
        policy,
        outcome.read(wanted, `${at}.${policy}`, reading),
      ]),
    )
  },
  schema: {},
}

const time = refined(text({ max: 64 }), {
  problem: (value) =>
    timestampOf(value) === undefined ? 'must be a time such as 2026-01-31T12:00:00Z' : undefined,
})

const whole = refined(text({ max: 100 }), {
  problem: (value) => (/^\d+$/.test(value) ? undefined : 'must be decimal digits'),
})

const caseShape = object({
  name,
  by: approver,
  approvals: optional(list(approver, { max: 100 })),
  now: optional(time),
  request: optional(object({ type: name, parameters: any, organizationId: optional(name) })),
  facts: optional(any),
  usage: optional(
    list(
      object({
        of: text({ min: 1, max: 16_384 }),
        by: optional(list(text({ max: 256 }), { max: 4 })),
        amount: whole,
      }),
      {
        max: 100,
      },
    ),
  ),
  expect: oneOf(['allow', 'deny', 'consensus', 'none']),
  outcomes: optional(outcomes),
})

/** Policies, an organization, and the expected outcomes of some requests (docs/policy-tools.md). */
export const testFileShape = object({
  /** In the form of `policiesIn`, or the path of a file with them, relative to this file. */
  policies: any,
  organization: organizationShape,
  cases: list(caseShape, { min: 1, max: 10_000 }),
})

export type TestCase = TypeOf<typeof caseShape>
export type TestFile = TypeOf<typeof testFileShape>
